import type { Origin } from "../contracts/diagnostic.js";
import type { Layer } from "../contracts/host.js";
import type { SectionBody, SectionRegistry, SectionSpec, Slot, WrapFunction } from "../contracts/section.js";

/** A registered section. */
export interface SectionRecord {
  readonly spec: SectionSpec;
  readonly plugin: string;
  /** Position of the plugin. */
  readonly rank: number;
  readonly by: Origin;
  /** Prepended to its slot. */
  readonly isFirst?: boolean;
}

export const ranksPerPlugin = 10_000;

/** One wish to change the prompt, as data: who, in which layer, what. The plan judges all of them at once. */
export type EditRecord = EditAction & {
  readonly section: string;
  readonly layer: Layer;
  /** Position within the layer: those of the host from 0, those of each plugin from a multiple of `ranksPerPlugin`. */
  readonly rank: number;
  readonly by: Origin;
};

/** `keepsScope`: a plugin's plain text is the same for everyone who has the plugin; a user's own is not. */
export type EditAction =
  | { readonly op: "replace"; readonly body: SectionBody; readonly keepsScope: boolean }
  | { readonly op: "replace-group"; readonly body: SectionBody; readonly keepsScope: boolean }
  | { readonly op: "append"; readonly body: SectionBody; readonly name: string }
  | { readonly op: "prepend"; readonly body: SectionBody; readonly name: string }
  | { readonly op: "add"; readonly body: SectionBody; readonly slot: Slot; readonly isFirst?: boolean }
  | { readonly op: "pin"; readonly plugin: string }
  | { readonly op: "wrap"; readonly wrap: WrapFunction }
  | { readonly op: "patch"; readonly patch: SectionPatch }
  | { readonly op: "remove" };

export type SectionPatch = Parameters<SectionRegistry["patch"]>[1];
