import type { Diagnostic } from "../contracts/diagnostic.js";
import type { EditRecord, SectionRecord } from "./edit-record.js";

/**
 * Turns each `replace-group` into edits of sections: the group's first section takes the text, the others leave.
 * "First" is the order of the default slots, then of the plugins.
 */
export function expandGroups(
  records: readonly SectionRecord[],
  edits: readonly EditRecord[],
  addedOrder: (name: string) => number,
): { edits: readonly EditRecord[]; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const expanded = edits.flatMap((edit): readonly EditRecord[] => {
    if (edit.op !== "replace-group") return [edit];
    const members = records
      .filter((record) => groupOf(record, edits) === edit.section)
      .sort(
        (a, b) => slotRank(a) - slotRank(b) || a.rank - b.rank || addedOrder(a.spec.name) - addedOrder(b.spec.name),
      );
    const [first, ...others] = members;
    if (first === undefined) {
      diagnostics.push({
        code: "section-dangling",
        level: "info",
        message: `No section belongs to the group "${edit.section}", so its replacement has no effect`,
        at: edit.by,
      });
      return [];
    }
    const { layer, rank, by, hash } = edit;
    const why = `the group "${edit.section}" was replaced as a whole`;
    return [
      {
        layer,
        rank,
        by,
        hash,
        op: "replace",
        section: first.spec.name,
        body: edit.body,
        isText: edit.isText,
      },
      ...others.map((record) => ({ layer, rank, by, hash, op: "remove", section: record.spec.name, why }) as const),
    ];
  });
  return { edits: expanded, diagnostics };
}

function groupOf(record: SectionRecord, edits: readonly EditRecord[]): string | undefined {
  let group = record.spec.group;
  for (const edit of edits) {
    if (edit.op === "patch" && edit.section === record.spec.name && edit.patch.group !== undefined)
      group = edit.patch.group;
  }
  return group;
}

/** The default order of slots. */
const slotOrder = [
  "identity",
  "rules",
  "tools",
  "agents",
  "skills",
  "mcp",
  "environment",
  "memory",
  "project",
  "instructions",
  "session",
];

function slotRank(record: SectionRecord): number {
  const index = slotOrder.indexOf(record.spec.slot);
  return index === -1 ? slotOrder.length : index;
}
