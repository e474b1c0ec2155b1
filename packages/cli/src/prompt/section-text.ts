import type { Layout, SectionContent } from "@quire/core";
import { plainContent } from "./content-text.js";

/** A section's own content without any markup: the text whose hash tells whether a section has changed. */
export function plainText(content: SectionContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "facts") return content.facts.map(([key, value]) => `${key}: ${value}`).join("\n");
  if (content.items.length === 0) return content.empty ?? "";
  const items = content.items.map((item) => `${item.text ?? item.id}${item.cut ?? ""}`);
  return [...(content.intro === undefined ? [] : [content.intro]), ...items].join("\n\n");
}

/** What a layout puts around the text of a section, texts that others put inside it included. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** @param rendered A section as it stands in a prompt when it says `text`. */
export function frameAround(rendered: string, text: string): Frame | undefined {
  const at = text === "" ? -1 : rendered.indexOf(text);
  return at < 0 ? undefined : { before: rendered.slice(0, at), after: rendered.slice(at + text.length) };
}

/**
 * What a section says, as the one text that would stand in its place: within the frame it gives the same prompt. Of
 * entries and facts it keeps the signs that the layout gives them, for a text has none of its own.
 * @returns `isExact` false: the layout would write this text in another way than what stands there now.
 */
export function sectionText(
  content: SectionContent,
  rendered: string,
  frame: Frame | undefined,
  escape: Layout["escape"],
): { readonly text: string; readonly isExact: boolean } {
  if (content.kind === "text") return { text: content.text, isExact: true };
  const fits = frame !== undefined && rendered.startsWith(frame.before) && rendered.endsWith(frame.after);
  const text = fits ? rendered.slice(frame.before.length, rendered.length - frame.after.length) : "";
  // Signs of the layout within a text would be escaped with it.
  const isExact = text !== "" && !(escape === "entities" && /[<>&]/.test(text));
  return { text: isExact ? text : plainContent(content), isExact };
}
