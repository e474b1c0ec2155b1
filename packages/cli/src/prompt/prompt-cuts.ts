import type { ResolvedSection } from "@quire/core";

/** Something that stands in the prompt in part, or not at all, for its size. */
export interface Cut {
  readonly section: string;
  /** What was cut of a section that has several entries: a file, a name. */
  readonly item: string | null;
  /** UTF-8 bytes that are left of it. */
  readonly kept_bytes: number;
  /** What stands where something was cut; null when nothing does. */
  readonly marker: string | null;
  /** Entries that were left out whole. */
  readonly omitted: number;
}

/** Every cut text and every count of entries left out, in the order of the sections. */
export function promptCuts(sections: readonly ResolvedSection[]): readonly Cut[] {
  return sections.flatMap(({ name: section, content, cut }): readonly Cut[] => {
    if (content.kind === "facts") return [];
    if (content.kind === "text") {
      if (cut === undefined) return [];
      const kept = Buffer.byteLength(content.text);
      return [{ section, item: null, kept_bytes: kept, marker: cut.marker, omitted: 0 }];
    }
    const items = content.items
      .filter((item) => item.cut !== undefined)
      .map((item) => ({
        section,
        item: item.id,
        kept_bytes: Buffer.byteLength(item.text ?? ""),
        marker: item.cut ?? null,
        omitted: 0,
      }));
    const omitted = content.omitted ?? 0;
    return omitted === 0 ? items : [...items, { section, item: null, kept_bytes: 0, marker: null, omitted }];
  });
}
