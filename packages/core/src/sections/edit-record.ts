import type { Origin, SectionBody, SectionRegistry, SectionSpec, Slot } from "../index.js";
import type { HostEdit, Layer } from "../host-door.js";
import type { WrapFunction } from "../contracts/section.js";

/** A registered section. */
export interface SectionRecord {
  readonly spec: SectionSpec;
  readonly plugin: string;
  /** Position of the plugin. */
  readonly rank: number;
  readonly by: Origin;
  /** Prepended to its slot. */
  readonly isFirst?: boolean | undefined;
}

export const ranksPerPlugin = 10_000;

/** One wish to change the prompt, as data: who, in which layer, what. The plan judges all of them at once. */
export interface EditRecord extends EditDetails {
  readonly op: HostEdit["op"] | "wrap" | "patch";
  readonly section: string;
  readonly layer: Layer;
  /** Position within the layer: those of the host from 0, those of each plugin from a multiple of `ranksPerPlugin`. */
  readonly rank: number;
  readonly by: Origin;
}

/** What an edit brings, by its `op`. */
export interface EditDetails {
  /** Of replace, replace-group, append, prepend and add. */
  readonly body?: SectionBody;
  /** Of replace: a plugin's plain text is the same for everyone who has the plugin; a user's own is not. */
  readonly keepsScope?: boolean;
  /** Of replace: hash of the text it was made for. */
  readonly base?: string;
  /** Of append and prepend: the name of the text. */
  readonly name?: string;
  /** Of add. */
  readonly slot?: Slot;
  readonly isFirst?: boolean;
  /** Of pin. */
  readonly plugin?: string;
  readonly wrap?: WrapFunction;
  readonly patch?: Parameters<SectionRegistry["patch"]>[1];
}
