import type { SectionContent, SectionItem } from "@quire/core";
import type { Skill } from "./skill.js";

/** The skills the model may load by itself, as section content; null when there is none. */
export function catalogContent(skills: readonly Skill[], intro: string): SectionContent | null {
  const items = skills.filter(({ isAutomatic }) => isAutomatic).map(catalogItem);
  return items.length === 0 ? null : { kind: "items", items, intro };
}

/** The skills that config does not turn off. */
export function enabledSkills(skills: readonly Skill[], off: readonly string[]): readonly Skill[] {
  return skills.filter(({ name }) => !off.includes(name));
}

function catalogItem({ name, description, file, scope }: Skill): SectionItem {
  return {
    id: name,
    ...(description === "" ? {} : { text: description }),
    attrs: { name, description, path: file, scope },
    origin: { kind: "file", file },
  };
}
