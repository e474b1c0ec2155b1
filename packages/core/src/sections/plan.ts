import type { Diagnostic, Origin, SectionBody, Slot } from "../index.js";
import { layers, type Edit, type LeftOut } from "../contracts/host.js";
import { slotOrder, type WrapFunction } from "../contracts/section.js";
import { fault, notice, warning } from "../errors.js";
import { firstOfEach } from "../order/first-of-each.js";
import { sortByRelations } from "../order/sort-by-relations.js";
import { didYouMean, nearest } from "../text/nearest.js";
import { ranksPerPlugin, type EditRecord, type SectionRecord } from "./edit-record.js";
import { nameOf, pickWinner, verdict } from "./winner.js";

export interface PlannedPart {
  readonly name: string;
  readonly body: SectionBody;
  readonly by: Origin;
}

/** A section as it will be computed: the winning body, its wraps and the texts put inside it. */
export interface PlannedSection extends PlannedPart {
  readonly slot: Slot;
  readonly owner: string;
  /** What stands behind an override, and the hash of the text it was made for. */
  readonly behind?: PlannedPart & { readonly hash: string };
  readonly scope: "global" | "session";
  readonly wraps: readonly { readonly wrap: WrapFunction; readonly by: Origin }[];
  readonly prepended: readonly PlannedPart[];
  readonly appended: readonly PlannedPart[];
}

export interface Plan {
  /** Slot by slot, ordered within each. */
  readonly sections: readonly PlannedSection[];
  readonly edits: readonly Edit[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides which edit of each section wins and why the others lost. Pure. */
export function planSections(registered: readonly SectionRecord[], given: readonly EditRecord[]): Plan {
  const ranked = [...given].sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer) || a.rank - b.rank);
  const diagnostics: Diagnostic[] = [];
  const lastAdded = new Map(ranked.filter(({ op }) => op === "add").map((edit) => [edit.section, edit]));
  const inOrder = [...registered].sort((a, b) => a.rank - b.rank);
  const tell = (other: SectionRecord) => void diagnostics.push(duplicate(other));
  const single = firstOfEach(inOrder, ({ spec }) => spec.name, tell);
  const records = [...single, ...[...lastAdded.values()].flatMap(addedRecord)];
  const names = records.map(({ spec }) => spec.name);
  const edits = expandGroups(records, ranked, diagnostics);
  const verdicts = edits.flatMap((edit) => {
    const { op, section, by } = edit;
    if (op === "add")
      return verdict(edit, lastAdded.get(section) === edit ? undefined : "a later one of the same name");
    if (op === "replace-group") return verdict(edit, "no section belongs to the group");
    if (names.includes(section)) return [];
    const message = `${nameOf(by)} wants to ${op} section "${section}", which nobody registered`;
    const fix = didYouMean(section, names, "See the names with: agent sections list");
    const tell = isWorthAWarning(edit, names) ? warning : notice;
    diagnostics.push(tell("section-dangling", message, { section, at: by, plugin: by.plugin, fix }));
    return verdict(edit, "no such section");
  });
  const decisions = records.map((record) => {
    const own = edits.filter(
      ({ section, op }) => section === record.spec.name && op !== "add" && op !== "replace-group",
    );
    return { ...record, ...pickWinner(record, own) };
  });
  const planned = decisions.flatMap(({ section, rank, isFirst }) => {
    if (section === null) return [];
    const { name, slot, body } = section;
    return [{ name, slot, rank, isFirst, after: body.after, before: body.before, section }];
  });
  const { order, diagnostics: cycles } = orderSections(planned);
  const removed = decisions.filter(({ section }) => section === null);
  return {
    sections: order.map(({ section }) => section),
    edits: [...verdicts, ...decisions.flatMap((decision) => decision.edits)],
    leftOut: removed.map(({ spec }) => ({ section: spec.name, why: "disabled" })),
    diagnostics: [...diagnostics, ...decisions.flatMap((decision) => decision.diagnostics), ...cycles],
  };
}

/**
 * What a user wrote should do something; a plugin may well speak of sections of another one that is off, unless that
 * one is there and has a section of nearly that name.
 */
function isWorthAWarning({ by, layer, section }: EditRecord, names: readonly string[]): boolean {
  const owner = section.slice(0, section.lastIndexOf("/") + 1);
  const isSlip = () => nearest(section, names)?.startsWith(owner) ?? false;
  return layer === "plugin" ? isSlip() : by.kind !== "plugin";
}

function duplicate({ plugin, spec: { name: section } }: SectionRecord): Diagnostic {
  const fix = "Use sections.replace to change a section that exists";
  const message = `Section "${section}" is registered twice; the first stays`;
  return fault("section-duplicate", message, { plugin, section, fix });
}

/** A text put at a slot is a section of its own; a plugin's stands with its other sections, the host's behind all. */
function addedRecord({ body, section: name, slot = "end", rank, by, isFirst }: EditRecord): readonly SectionRecord[] {
  if (body === undefined) return [];
  const plugin = (by.kind === "plugin" ? by.plugin : undefined) ?? name.slice(0, name.lastIndexOf("/"));
  const place = rank < ranksPerPlugin ? 1_000_000 + rank : Math.floor(rank / ranksPerPlugin);
  return [{ spec: { ...body, name, slot }, plugin, rank: place, by, isFirst }];
}

/** Turns each `replace-group` into edits of sections: the group's first section takes the text, the others leave. */
function expandGroups(
  records: readonly SectionRecord[],
  edits: readonly EditRecord[],
  diagnostics: Diagnostic[],
): readonly EditRecord[] {
  const patched = records.map(({ spec, rank, isFirst }) => {
    const patches = edits.map(({ patch, section }) => (section === spec.name ? patch : undefined));
    return { ...spec, ...(Object.assign({}, ...patches) as Partial<typeof spec>), rank, isFirst };
  });
  const slots: readonly string[] = slotOrder;
  const placeOf = (slot: Slot) => slots.indexOf(slot) + 1 || slots.length + 1;
  const order = [...orderSections(patched).order].sort((a, b) => placeOf(a.slot) - placeOf(b.slot));
  return edits.flatMap((edit): readonly EditRecord[] => {
    if (edit.op !== "replace-group") return [edit];
    const members = order.filter(({ group }) => group === edit.section);
    if (members.length > 0) {
      return members.map(({ name: section }, index) => ({ ...edit, section, op: index === 0 ? "replace" : "remove" }));
    }
    const groups = order.flatMap(({ group }) => group ?? []);
    const message = `No section belongs to the group "${edit.section}", so its replacement has no effect`;
    const fix = didYouMean(edit.section, groups, "See the groups with: agent sections list");
    diagnostics.push(notice("section-dangling", message, { at: edit.by, plugin: edit.by.plugin, fix }));
    return [edit];
  });
}

interface Orderable extends Pick<Parameters<typeof sortByRelations>[0][number], "name" | "after" | "before"> {
  readonly slot: Slot;
  readonly rank: number;
  readonly isFirst?: boolean | undefined;
}

/**
 * Within a slot by `after` and `before`, then by plugin, then by name, so that the order of registration within a
 * plugin does not matter.
 */
function orderSections<T extends Orderable>(sections: readonly T[]) {
  const first = ({ isFirst }: Orderable) => Number(isFirst ?? false);
  // By code point, numbers by value: `append-2` before `append-10`. No locale takes part.
  const key = ({ name }: Orderable) => name.replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
  const ranked = [...sections].sort((a, b) => first(b) - first(a) || a.rank - b.rank || (key(a) < key(b) ? -1 : 1));
  const slots = [...new Set(ranked.map(({ slot }) => slot))];
  const sorted = slots.map((slot) => sortByRelations(ranked.filter((section) => section.slot === slot)));
  const diagnostics = sorted.flatMap(({ cycles }) =>
    cycles.map((cycle) => {
      const names = cycle.map((name) => `"${name}"`).join(", ");
      const message = `Sections ${names} want to stand before each other; "${cycle[0]}" goes first`;
      return warning("section-cycle", message, { fix: "Remove one of their after or before relations" });
    }),
  );
  return { order: sorted.flatMap(({ order }) => order), diagnostics };
}
