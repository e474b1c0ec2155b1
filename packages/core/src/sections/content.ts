import type { SectionContent } from "../index.js";

/** What a compute may return, brought to one shape; null when nothing is left to say. */
export function toContent(value: SectionContent | string | null | undefined): SectionContent | null {
  if (value === null || value === undefined) return null;
  const content: SectionContent = typeof value === "string" ? { kind: "text", text: value } : value;
  const hasItems = content.kind === "items" && (content.items.length > 0 || (content.omitted ?? 0) > 0);
  return hasItems || contentText(content) !== "" ? content : null;
}

/** Why a value is no section content, or undefined when it is. Guards what plain JavaScript may return. */
export function contentProblem(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === "string") return undefined;
  if (typeof value !== "object" || !("kind" in value)) return `a ${typeof value} without a kind`;
  const { kind, text, facts, items } = value as Readonly<Record<string, unknown>>;
  if (kind === "text") return typeof text === "string" ? undefined : "kind text without a text";
  if (kind === "facts") return Array.isArray(facts) ? undefined : "kind facts without a list of facts";
  if (kind === "items") return Array.isArray(items) ? undefined : "kind items without a list of items";
  return `kind ${String(kind)}`;
}

/** Content as plain text without any layout: what budgets count and hashes cover. */
export function contentText(content: SectionContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "facts") return content.facts.map(([key, value]) => `${key}: ${value}`).join("\n");
  if (content.items.length === 0) return content.empty ?? "";
  const items = content.items.map((item) => `${item.text ?? item.id}${item.cut ?? ""}`);
  return [...(content.intro === undefined ? [] : [content.intro]), ...items].join("\n\n");
}
