import type { Origin } from "../contracts/diagnostic.js";
import type { Edit } from "../contracts/host.js";
import type { EditRecord } from "./edit-record.js";

/** An edit as it was judged. */
export function verdict(edit: EditRecord, won: boolean, why?: string): Edit {
  return {
    section: edit.section,
    op: edit.op,
    layer: edit.layer,
    by: edit.by,
    won,
    ...(why === undefined ? {} : { why }),
  };
}

/** How a message names the author of an edit. */
export function nameOf(by: Origin): string {
  if (by.plugin !== undefined) return `"${by.plugin}"`;
  if (by.file !== undefined) return `${by.file}${by.line === undefined ? "" : `:${by.line}`}`;
  return by.kind === "flag" ? "a flag" : `the ${by.kind}`;
}
