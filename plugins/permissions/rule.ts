import { fitsWildcard } from "./wildcard.js";

/** One line of `allow`, `ask` or `deny`. */
export interface Rule {
  /** As the user wrote it. */
  readonly text: string;
  /** The tool by the model's name or by its full name; `*` is a wildcard. */
  readonly tool: string;
  /** What the main argument must fit; null: whatever it is. */
  readonly pattern: string | null;
}

/** Reads `tool` or `tool(pattern)`; null when it is neither. `tool(*)` means the same as `tool`. */
export function parseRule(text: string): Rule | null {
  const match = /^\s*([^\s()]+?)\s*(?:\((.+)\))?\s*$/s.exec(text);
  const tool = match?.[1];
  if (tool === undefined) return null;
  const pattern = match?.[2]?.trim() ?? null;
  if (pattern === "") return null;
  return { text: text.trim(), tool, pattern: pattern !== null && /^\*+$/.test(pattern) ? null : pattern };
}

/** Whether a rule speaks of a tool. */
export function namesTool(rule: Rule, tool: { readonly name: string; readonly fullName: string }): boolean {
  return fitsWildcard(rule.tool, tool.name) || fitsWildcard(rule.tool, tool.fullName);
}
