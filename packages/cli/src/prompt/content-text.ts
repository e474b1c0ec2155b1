import type { ResolvedSection, SectionContent } from "@quire/core";

/** The content of a section that stands outside the prompt's text, free of any layout's markup. */
export function contentText(section: ResolvedSection): string {
  const parts = [
    ...section.prepended.map(({ text }) => text),
    plainContent(section.content),
    ...section.appended.map(({ text }) => text),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** Content by itself, one entry a line. */
export function plainContent(content: SectionContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "facts") return content.facts.map(([key, value]) => `${key}: ${value}`).join("\n");
  const items = content.items.map(({ id, text }) => (text === undefined ? id : `${id}: ${text}`));
  const lines = items.length > 0 ? items : [content.empty ?? ""];
  return [...(content.intro === undefined ? [] : [content.intro]), ...lines].join("\n");
}
