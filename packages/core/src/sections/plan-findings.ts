import type { Edit } from "../contracts/host.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import { nearest } from "../text/nearest.js";
import type { EditRecord, SectionRecord } from "./edit-record.js";
import { nameOf, verdict } from "./verdict.js";

/** Of two sections with one name the first in order stays. */
export function duplicateSections(records: readonly SectionRecord[]): {
  kept: readonly SectionRecord[];
  diagnostics: readonly Diagnostic[];
} {
  const kept = new Map<string, SectionRecord>();
  const diagnostics: Diagnostic[] = [];
  for (const record of [...records].sort((a, b) => a.rank - b.rank)) {
    const name = record.spec.name;
    if (!kept.has(name)) {
      kept.set(name, record);
      continue;
    }
    diagnostics.push({
      code: "section-duplicate",
      level: "error",
      message: `Section "${name}" is registered twice; the first stays`,
      plugin: record.plugin,
      section: name,
      fix: "Use sections.replace to change a section that exists",
    });
  }
  return { kept: [...kept.values()], diagnostics };
}

/** Edits of sections nobody registered: kept, without effect. */
export function danglingEdits(
  edits: readonly EditRecord[],
  records: readonly SectionRecord[],
): { edits: readonly Edit[]; diagnostics: readonly Diagnostic[] } {
  const names = records.map((record) => record.spec.name);
  const dangling = edits.filter((edit) => edit.op !== "add" && !names.includes(edit.section));
  const diagnostics = dangling.map((edit): Diagnostic => {
    const near = nearest(edit.section, names);
    return {
      code: "section-dangling",
      level: "info",
      message: `${nameOf(edit.by)} wants to ${edit.op} section "${edit.section}", which nobody registered`,
      section: edit.section,
      at: edit.by,
      ...(edit.by.plugin === undefined ? {} : { plugin: edit.by.plugin }),
      fix: near === undefined ? "See the names with: agent sections list" : `Did you mean "${near}"?`,
    };
  });
  return { edits: dangling.map((edit) => verdict(edit, false, "no such section")), diagnostics };
}
