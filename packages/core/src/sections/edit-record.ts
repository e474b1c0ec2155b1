import type { Origin } from "../contracts/diagnostic.js";
import type { Layer } from "../contracts/host.js";
import type { MaybePromise } from "../contracts/place.js";
import type { SectionBody, SectionContent, SectionContext, SectionSpec, Slot } from "../contracts/section.js";

export type WrapFunction = (
  previous: SectionContent,
  context: SectionContext,
  signal: AbortSignal,
) => MaybePromise<SectionContent | string | null>;

/** A registered section. */
export interface SectionRecord {
  readonly spec: SectionSpec;
  readonly plugin: string;
  /** Of the plugin's code: part of the memo key. */
  readonly hash: string;
  /** Position of the plugin. */
  readonly rank: number;
  readonly by: Origin;
}

interface EditBase {
  readonly layer: Layer;
  /** Position within the layer: plugin order, then order of registration. */
  readonly rank: number;
  readonly by: Origin;
  readonly hash: string;
}

/** One wish to change the prompt, as data: who, in which layer, what. The plan judges all of them at once. */
export type EditRecord = EditBase &
  (
    | {
        readonly op: "replace";
        readonly section: string;
        readonly body: SectionBody;
        readonly isText: boolean;
      }
    | {
        readonly op: "replace-group";
        readonly section: string;
        readonly body: SectionBody;
        readonly isText: boolean;
      }
    | { readonly op: "remove"; readonly section: string; readonly why: string }
    | { readonly op: "pin"; readonly section: string; readonly plugin: string }
    | { readonly op: "wrap"; readonly section: string; readonly wrap: WrapFunction }
    | { readonly op: "patch"; readonly section: string; readonly patch: SectionPatch }
    | {
        readonly op: "append" | "prepend";
        readonly section: string;
        readonly name: string;
        readonly body: SectionBody;
      }
    | {
        readonly op: "add";
        readonly section: string;
        readonly slot: Slot;
        readonly body: SectionBody;
        readonly isFirst?: boolean;
      }
  );

export type SectionPatch = Partial<Pick<SectionSpec, "slot" | "group" | "after" | "before" | "budget">>;
