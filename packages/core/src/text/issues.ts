import type { SchemaIssue } from "../contracts/standard-schema.js";

/** `tasks[1].prompt: is too long; …` */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ message, path = [] }) => (path.length === 0 ? message : `${placeOf(path)}: ${message}`))
    .join("; ");
}

function placeOf(path: readonly unknown[]): string {
  const keys = path.map((step) => (typeof step === "object" && step !== null && "key" in step ? step.key : step));
  return keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
