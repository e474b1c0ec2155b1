import type { Attrs, MaybePromise, Place } from "./place.js";
import type { Origin } from "./diagnostic.js";
import type { ModelRef } from "./message.js";
import type { SessionInfo } from "./turn.js";
import type { ToolSpec } from "./tool.js";

/**
 * The cache tag. It has no default: the author chooses.
 * `"memoized"` keeps its bytes for the session. `volatile` gives the reason (12 characters or more) and is looked at
 * once per turn, and inside a turn when its `key` changes. `deliver`: `delta` (default) is told in a context message at each change, `tail` is the last block of
 * every request and never stored, `prefix` stands in the system text and breaks the cache at each change.
 */
export type Cache = "memoized" | { readonly volatile: string; readonly deliver?: "delta" | "tail" | "prefix" };
export type Audience = "main" | "subagent" | "compaction";
/** The places of the default order. */
// prettier-ignore
export const slotOrder = [
  "identity", "rules", "tools", "agents", "skills", "mcp",
  "environment", "memory", "project", "instructions", "session", "end",
] as const;
/** A place in the order of a layout. A slot the layout does not name comes before `end`. */
export type Slot = (typeof slotOrder)[number] | (string & {});

/** All of a section but its name and its place. */
export interface SectionBody {
  readonly cache: Cache;
  /** `global`: equal bytes for every user and project on one version. Memoized sections only; `session` by default. */
  readonly scope?: "global" | "session";
  /** For example `base`: what `--system-prompt` replaces. */
  readonly group?: string;
  /** Section names: order within the slot. */
  readonly after?: readonly string[];
  readonly before?: readonly string[];
  /** `main` and `subagent` by default. */
  readonly audience?: readonly Audience[];
  /** The lowest is shed first when the whole prompt is too large; 0 by default. */
  readonly priority?: number;
  readonly budget?: Budget;
  /** 2,000 by default, and at most. */
  readonly timeoutMs?: number;
  /** `omit` by default; `stale` uses the last good content of the session. */
  readonly onError?: "omit" | "stale";
  /** A failure stops the turn. */
  readonly required?: boolean;
  when?(context: SectionContext): boolean;
  /**
   * Looked at before each request: another key, another value. A volatile section without one is looked at once per
   * turn.
   */
  key?(context: SectionContext): string;
  /** @returns Null (or an empty text) for no section. */
  compute(context: SectionContext, signal: AbortSignal): MaybePromise<SectionContent | string | null>;
}

export interface SectionSpec extends SectionBody {
  /** `<plugin>/<kebab-case>`. */
  readonly name: string;
  readonly slot: Slot;
}

/** What a section says, free of markup: tags, headings, escaping and joining are the layout's. */
export type SectionContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "facts"; readonly facts: readonly (readonly [key: string, value: string])[] }
  | {
      readonly kind: "items";
      readonly items: readonly SectionItem[];
      readonly intro?: string;
      /** The text when there are no items; without it, no items mean no section. */
      readonly empty?: string;
      /** Items left out by the author; shown by the layout. */
      readonly omitted?: number;
    };

export interface SectionItem {
  /** Unique within the section. */
  readonly id: string;
  readonly text?: string;
  readonly attrs?: Attrs;
  /** Where the text stands, if not in the plugin: a file of the user. */
  readonly origin?: Origin;
  /** Set by the budget: the end of `text` was cut, and this marker stands there. */
  readonly cut?: string;
}

/** Applied to content before markup. Bytes are UTF-8. */
export interface Budget {
  readonly maxBytes?: number;
  /** Estimated tokens. */
  readonly maxTokens?: number;
  /** A floor when the whole prompt is shortened. */
  readonly minBytes?: number;
  readonly overflow: "cut" | "drop-items" | "drop" | "fail";
  /** Which end is kept; `first` by default, `last` saves the nearest file. */
  readonly keep?: "first" | "last";
  /** Text that stands where something was cut. */
  marker?(lost: { readonly bytes: number; readonly items: number }): string;
}

/** What a section may look at. Equal contexts and equal files must give equal bytes. */
export interface SectionContext extends Place {
  readonly session: SessionInfo;
  readonly audience: Audience;
  readonly profile?: Profile;
  readonly model: ModelRef;
  /** `os (arch)`, for example `linux (x64)`. */
  readonly platform: string;
  /** File stem of the interpreter that runs commands (`bash`), or `(none)`. */
  readonly shell: string;
  /** Local date, `YYYY-MM-DD`. There is no other clock. */
  readonly today: string;
  /** The tools this prompt may speak of, by the names the model sees, sorted. */
  readonly tools: readonly Pick<ToolSpec, "name" | "snippet" | "guidelines" | "effect">[];
}

export interface Profile {
  readonly name: string;
  readonly instructions?: string;
}

/** Where an appended text goes. */
export type At = { readonly slot: Slot } | { readonly section: string };
/** A text, a file (relative to the plugin's own file), or a whole section body. Text and file are memoized. */
export type Replacement = string | { readonly file: string } | SectionBody;

/** From a section's content to the next; null leaves the section out. */
export type WrapFunction = (
  previous: SectionContent,
  context: SectionContext,
  signal: AbortSignal,
) => MaybePromise<SectionContent | string | null>;

/** Registers sections and records edits. Closed once set-up is over. */
export interface SectionRegistry {
  register(spec: SectionSpec): void;
  /** Keeps slot, group, relations, budget and audience of the section unless `by` sets them. */
  replace(section: string, by: Replacement): void;
  /** The first section of the group takes the text, the others leave. */
  replaceGroup(group: string, by: Replacement): void;
  wrap(section: string, fn: WrapFunction): void;
  patch(section: string, by: Partial<Pick<SectionSpec, "slot" | "group" | "after" | "before" | "budget">>): void;
  /** At a slot: a new section `<plugin>/append-N` or `name`. At a section: a child inside its markup, after the body. */
  append(at: At, content: Replacement, name?: string): void;
  prepend(at: At, content: Replacement, name?: string): void;
  remove(section: string, why: string): void;
}
