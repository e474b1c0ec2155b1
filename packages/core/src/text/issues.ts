import type { SchemaIssue } from "../contracts/standard-schema.js";

/** `tasks[1].prompt: is too long; …` Steps of a path are keys, or objects that hold one. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  const problems = issues.map(({ message, path = [] }) => {
    const keys = path.map((step) => (typeof step === "object" && step !== null && "key" in step ? step.key : step));
    const place = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    return place === "" ? message : `${place.replace(/^\./, "")}: ${message}`;
  });
  return problems.join("; ");
}
