import type { SectionBody, SectionContent } from "../contracts/section.js";
import type { WrapFunction } from "./edit-record.js";
import type { Reads } from "./tracked-place.js";

/** A computed value and all it rests on. */
export interface MemoEntry {
  readonly content: SectionContent | null;
  readonly key: string;
  readonly body: SectionBody;
  readonly wraps: readonly WrapFunction[];
  readonly hash: string;
  readonly reads: Reads;
}

/** Values by section name, for one session or, of global sections, for one host. */
export interface Memo {
  get(name: string): MemoEntry | undefined;
  set(name: string, entry: MemoEntry): void;
  delete(name: string): void;
  clear(): void;
}

export function createMemo(): Memo {
  return new Map<string, MemoEntry>();
}

/** Whether an entry stands for this very body, wraps, code and key. */
export function isSameSource(entry: MemoEntry, source: Pick<MemoEntry, "body" | "wraps" | "hash" | "key">): boolean {
  return (
    entry.key === source.key &&
    entry.hash === source.hash &&
    entry.body === source.body &&
    entry.wraps.length === source.wraps.length &&
    entry.wraps.every((wrap, index) => wrap === source.wraps[index])
  );
}
