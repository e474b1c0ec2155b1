import type { ResolvedSection, SectionBody, SectionContent } from "../index.js";
import type { Reads } from "./tracked-place.js";

/** A computed value and all it rests on. */
export interface MemoEntry {
  readonly content: SectionContent | null;
  readonly key: string;
  /** Two texts of one name keep apart by it. */
  readonly body: SectionBody;
  readonly reads: Reads;
  /** Invalidated: only a fallback when its section fails. */
  readonly isOutdated?: boolean;
}

/** Values by section name, for one session or, of global sections, for one host. */
export type Memo = ReturnType<typeof createMemo>;

export function createMemo() {
  const entries = new Map<string, MemoEntry>();
  const resolved = new Map<string, ResolvedSection>();
  let changes = new Map<string, number>();
  return {
    /** Sections as they were last, by name. */
    resolved,
    get: (name: string) => entries.get(name),
    /** A value is about to be computed. @returns Keeps it, unless it was invalidated meanwhile. */
    begin(name: string): (entry: MemoEntry) => void {
      const [seen, count] = [changes, changes.get(name)];
      return (entry) => {
        if (changes === seen && changes.get(name) === count) entries.set(name, entry);
      };
    },
    invalidate(name: string): void {
      const entry = entries.get(name);
      if (entry !== undefined) entries.set(name, { ...entry, isOutdated: true });
      changes.set(name, (changes.get(name) ?? 0) + 1);
    },
    clear(): void {
      entries.clear();
      resolved.clear();
      changes = new Map();
    },
  };
}
