import { layers, type Edit, type LeftOut } from "../contracts/host.js";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import { slotOrder, type SectionBody, type SectionSpec, type Slot, type WrapFunction } from "../contracts/section.js";
import { defined } from "../defined.js";
import { fault, notice } from "../errors.js";
import { didYouMean } from "../text/nearest.js";
import type { EditRecord, SectionPatch, SectionRecord } from "./edit-record.js";
import { ranksPerPlugin } from "./edit-record.js";
import { orderSections } from "./section-order.js";
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
  readonly scope: "global" | "session";
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
export function planSections(registered: readonly SectionRecord[], given: readonly EditRecord[]): Plan {
  const ranked = [...given].sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer) || a.rank - b.rank);
  const diagnostics: Diagnostic[] = [];
  const added = ranked.filter((edit) => edit.op === "add");
  const lastAdded = new Map(added.map((edit) => [edit.section, edit]));
  const verdicts = added.map((edit) =>
    verdict(edit, lastAdded.get(edit.section) === edit ? undefined : "a later one of the same name"),
  );
  const records = [...unique(registered, diagnostics), ...[...lastAdded.values()].map(addedRecord)];
  const byName = new Map(records.map((record) => [record.spec.name, record]));
  const edits = expandGroups(records, ranked, diagnostics, verdicts).filter((edit) => edit.op !== "add");
  const decisions = records.map((record) => {
    const decision = pickWinner(
      record,
      edits.filter((edit) => edit.section === record.spec.name),
    );
    verdicts.push(...decision.edits);
    diagnostics.push(...decision.diagnostics);
    return decision.section;
  });
  for (const edit of edits.filter(({ section }) => !byName.has(section))) {
    const { op, section, by } = edit;
    verdicts.push(verdict(edit, "no such section"));
    const message = `${nameOf(by)} wants to ${op} section "${section}", which nobody registered`;
    const fix = didYouMean(section, byName.keys(), "See the names with: agent sections list");
    diagnostics.push(notice("section-dangling", message, { section, at: by, plugin: by.plugin, fix }));
  }
  const planned = new Map(decisions.flatMap((section) => (section === null ? [] : [[section.name, section]])));
  const order = orderSections(
    [...planned.values()].map(({ name, slot, body: { after, before } }) => {
      const { rank = 0, isFirst } = byName.get(name) ?? {};
      return { name, slot, rank, isFirst, ...defined({ after, before }) };
    }),
  );
  return {
    sections: order.names.flatMap((name) => planned.get(name) ?? []),
    edits: verdicts,
    leftOut: [...byName.keys()].filter((name) => !planned.has(name)).map((section) => ({ section, why: "disabled" })),
    diagnostics: [...diagnostics, ...order.diagnostics],
  };
}

/** Of two sections with one name the first in plugin order stays. */
function unique(records: readonly SectionRecord[], diagnostics: Diagnostic[]): readonly SectionRecord[] {
  const first = new Map<string, SectionRecord>();
  for (const record of [...records].sort((a, b) => a.rank - b.rank)) {
    const { name } = record.spec;
    if (!first.has(name)) first.set(name, record);
    else {
      const fix = "Use sections.replace to change a section that exists";
      const message = `Section "${name}" is registered twice; the first stays`;
      diagnostics.push(fault("section-duplicate", message, { plugin: record.plugin, section: name, fix }));
    }
  }
  return [...first.values()];
}

/** Turns each `replace-group` into edits of sections: the group's first section takes the text, the others leave. */
function expandGroups(
  records: readonly SectionRecord[],
  edits: readonly EditRecord[],
  diagnostics: Diagnostic[],
  verdicts: Edit[],
): readonly EditRecord[] {
  const patchOf = (name: string): SectionPatch =>
    Object.assign({}, ...edits.map((edit) => (edit.op === "patch" && edit.section === name ? edit.patch : {})));
  const patched = records.map(({ spec, rank, isFirst }) => ({ ...spec, ...patchOf(spec.name), rank, isFirst }));
  const order = orderSections(patched).names;
  const slots: readonly string[] = slotOrder;
  const place = ({ slot, name }: SectionSpec) =>
    (slots.indexOf(slot) + 1 || slots.length + 1) * 1e6 + order.indexOf(name);
  return edits.flatMap((edit): readonly EditRecord[] => {
    if (edit.op !== "replace-group") return [edit];
    const members = patched.filter(({ group }) => group === edit.section).sort((a, b) => place(a) - place(b));
    if (members.length > 0) {
      return members.map(({ name: section }, index) => ({ ...edit, section, op: index === 0 ? "replace" : "remove" }));
    }
    const message = `No section belongs to the group "${edit.section}", so its replacement has no effect`;
    const fix = didYouMean(
      edit.section,
      patched.flatMap(({ group }) => group ?? []),
      "See the groups with: agent sections list",
    );
    diagnostics.push(notice("section-dangling", message, { at: edit.by, plugin: edit.by.plugin, fix }));
    verdicts.push(verdict(edit, "no section belongs to the group"));
    return [];
  });
}

/** A text put at a slot is a section of its own; a plugin's stands with its other sections, the host's behind all. */
function addedRecord({ body, section: name, slot, rank, by, isFirst = false }: Added): SectionRecord {
  return {
    spec: { ...body, name, slot },
    plugin: (by.kind === "plugin" ? by.plugin : undefined) ?? name.slice(0, name.lastIndexOf("/")),
    rank: rank < ranksPerPlugin ? 1_000_000 + rank : Math.floor(rank / ranksPerPlugin),
    by,
    isFirst,
  };
}

type Added = Extract<EditRecord, { op: "add" }>;
