import { layers, type Edit, type Layer, type LeftOut } from "../contracts/host.js";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { SectionBody, Slot } from "../contracts/section.js";
import type { EditRecord, SectionPatch, SectionRecord, WrapFunction } from "./edit-record.js";
import { danglingEdits, duplicateSections } from "./plan-findings.js";
import { expandGroups } from "./replace-group.js";
import { sortSections } from "./sort-sections.js";
import { verdict } from "./verdict.js";
import { pickWinner } from "./winner.js";

export interface PlannedPart {
  readonly name: string;
  readonly body: SectionBody;
  readonly by: Origin;
  readonly hash: string;
}

/** A section as it will be computed: the winning body, its wraps and the texts put inside it. */
export interface PlannedSection {
  readonly name: string;
  readonly slot: Slot;
  readonly owner: string;
  readonly body: SectionBody;
  readonly scope: "global" | "session";
  readonly by: Origin;
  readonly hash: string;
  readonly wraps: readonly { readonly wrap: WrapFunction; readonly by: Origin }[];
  readonly prepended: readonly PlannedPart[];
  readonly appended: readonly PlannedPart[];
}

export interface Plan {
  /** Ordered within each slot. */
  readonly sections: readonly PlannedSection[];
  readonly edits: readonly Edit[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides which edit of each section wins and why the others lost. Pure. */
export function planSections(records: readonly SectionRecord[], edits: readonly EditRecord[]): Plan {
  const ranked = [...edits].sort(byLayerAndRank);
  const duplicates = duplicateSections(records);
  const added = addedSections(ranked);
  const known = [...duplicates.kept, ...added.records];
  const slotEdits = new Map(added.records.map((record) => [record.spec.name, record]));
  const all = expandGroups(known, ranked, added.order);
  const verdicts: Edit[] = [];
  const leftOut: LeftOut[] = [];
  const diagnostics: Diagnostic[] = [...duplicates.diagnostics, ...all.diagnostics];
  const planned: { section: PlannedSection; patch: SectionPatch; rank: number; isFirst: boolean }[] = [];

  for (const record of known) {
    const name = record.spec.name;
    const own = all.edits.filter((edit) => edit.section === name && edit.op !== "add");
    const decision = pickWinner(record, own);
    verdicts.push(...decision.edits);
    diagnostics.push(...decision.diagnostics);
    if (decision.body === null) {
      leftOut.push({ section: name, why: "disabled" });
      continue;
    }
    const isFirst = added.first.has(name) && slotEdits.has(name);
    planned.push({ section: decision.section, patch: decision.patch, rank: record.rank, isFirst });
  }
  verdicts.push(...added.edits);
  const dangling = danglingEdits(all.edits, known);
  verdicts.push(...dangling.edits);
  diagnostics.push(...dangling.diagnostics);
  const sorted = sortSections(planned);
  return {
    sections: sorted.sections,
    edits: verdicts,
    leftOut,
    diagnostics: [...diagnostics, ...sorted.diagnostics],
  };
}

export function byLayerAndRank(a: { layer: Layer; rank: number }, b: { layer: Layer; rank: number }): number {
  return layers.indexOf(a.layer) - layers.indexOf(b.layer) || a.rank - b.rank;
}

/** Texts put at a slot are sections of their own; two of one name: the higher layer's stays. */
function addedSections(ranked: readonly EditRecord[]): {
  records: SectionRecord[];
  edits: Edit[];
  first: ReadonlySet<string>;
  order: (name: string) => number;
} {
  const byName = new Map<string, Extract<EditRecord, { op: "add" }>>();
  const edits: Edit[] = [];
  for (const edit of ranked) {
    if (edit.op !== "add") continue;
    const earlier = byName.get(edit.section);
    if (earlier !== undefined) edits.push(verdict(earlier, false, "a later one of the same name"));
    byName.set(edit.section, edit);
  }
  const records = [...byName.values()].map((edit) => {
    edits.push(verdict(edit, true));
    return {
      spec: { ...edit.body, name: edit.section, slot: edit.slot },
      plugin: edit.by.kind === "plugin" ? (edit.by.plugin ?? "user") : ownerOf(edit.section),
      hash: edit.hash,
      rank: edit.layer === "plugin" || edit.layer === "flags" ? edit.rank / 10_000 : 1_000_000 + edit.rank,
      by: edit.by,
    };
  });
  const first = new Set([...byName.values()].filter((edit) => edit.isFirst === true).map((edit) => edit.section));
  return { records, edits, first, order: (name) => records.findIndex((record) => record.spec.name === name) };
}

function ownerOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}
