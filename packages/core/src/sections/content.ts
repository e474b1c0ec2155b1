import type { ResolvedSection } from "../contracts/layout.js";
import type { SectionContent } from "../contracts/section.js";
import { sha256 } from "../text/sha256.js";

/** What a compute may return, brought to one shape; null when nothing is left to say. */
export function toContent(value: SectionContent | string | null | undefined): SectionContent | null {
  if (value === null || value === undefined) return null;
  const content: SectionContent = typeof value === "string" ? { kind: "text", text: value } : value;
  return isEmptyContent(content) ? null : content;
}

export function isEmptyContent(content: SectionContent): boolean {
  if (content.kind === "text") return content.text === "";
  if (content.kind === "facts") return content.facts.length === 0;
  return content.items.length === 0 && (content.empty ?? "") === "" && (content.omitted ?? 0) === 0;
}

/** Why a value is no section content, or undefined when it is. Guards what plain JavaScript may return. */
export function contentProblem(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === "string") return undefined;
  if (typeof value !== "object" || !("kind" in value)) return `a ${typeof value} without a kind`;
  const content = value as Record<string, unknown>;
  const lists = { facts: content["facts"], items: content["items"] };
  if (content["kind"] === "text") return typeof content["text"] === "string" ? undefined : "kind text without a text";
  if (content["kind"] === "facts") return Array.isArray(lists.facts) ? undefined : "kind facts without a list of facts";
  if (content["kind"] === "items") return Array.isArray(lists.items) ? undefined : "kind items without a list of items";
  return `kind ${String(content["kind"])}`;
}

/** Content as plain text without any layout: what budgets count and hashes cover. */
export function contentText(content: SectionContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "facts") return content.facts.map(([key, value]) => `${key}: ${value}`).join("\n");
  if (content.items.length === 0) return content.empty ?? "";
  const items = content.items.map((item) => `${item.text ?? item.id}${item.cut ?? ""}`);
  return [...(content.intro === undefined ? [] : [content.intro]), ...items].join("\n\n");
}

/** SHA-256 over everything a section says, the texts of other authors inside it included. */
export function sectionHash(section: ResolvedSection): string {
  const parts = [...section.prepended, ...section.appended].map((part) => part.text);
  return sha256(JSON.stringify([section.content, section.cut?.marker ?? "", ...parts]));
}
