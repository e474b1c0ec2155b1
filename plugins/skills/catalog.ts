import type { SectionContent, SectionItem } from "@quire/core";
import type { SkillOptions } from "./options.js";
import type { Skill } from "./skill.js";

export interface Catalog {
  readonly content: SectionContent | null;
  /** What the budget left out, in the order of the catalog. */
  readonly omitted: readonly Skill[];
}

export interface CatalogTexts {
  readonly intro: string;
  /** Says that there are no skills. */
  readonly empty: string;
}

/**
 * The skills the model may load by itself, as section content. An entry larger than what is left of the budget is
 * passed over, and smaller ones behind it are still tried.
 */
export function skillCatalog(
  skills: readonly Skill[],
  options: Pick<SkillOptions, "budget" | "entry_bytes" | "load" | "show_empty">,
  texts: CatalogTexts,
): Catalog {
  const omitted: Skill[] = [];
  let room = options.budget;
  const items = skills
    .filter(({ isAutomatic }) => isAutomatic)
    .flatMap((skill): readonly SectionItem[] => {
      const size = entryBytes(skill) + options.entry_bytes;
      if (size > room) {
        omitted.push(skill);
        return [];
      }
      room -= size;
      return [catalogItem(skill, options.load)];
    });
  const isEmpty = items.length + omitted.length === 0;
  if (isEmpty && !options.show_empty) return { content: null, omitted };
  const count = omitted.length === 0 ? {} : { omitted: omitted.length };
  const intro = isEmpty ? { empty: texts.empty } : { intro: texts.intro };
  return { content: { kind: "items", items, ...intro, ...count }, omitted };
}

/** The skills that config does not turn off. */
export function enabledSkills(skills: readonly Skill[], off: readonly string[]): readonly Skill[] {
  return skills.filter(({ name }) => !off.includes(name));
}

/** Name and description as they stand at most, with `& < >` written as entities. */
function entryBytes({ name, description }: Skill): number {
  const text = `${name}${description}`;
  return Buffer.byteLength(text) + [...text.matchAll(/[<>]/g)].length * 3 + [...text.matchAll(/&/g)].length * 4;
}

/** `path` is the file; `location` is what to read for the text. Layouts choose what they show. */
function catalogItem(skill: Skill, load: SkillOptions["load"]): SectionItem {
  const { name, handle, description, file, scope } = skill;
  const location = load === "url" ? `skill://${name}` : file;
  return {
    id: name,
    ...(description === "" ? {} : { text: description }),
    attrs: { name, handle, description, path: file, location, scope },
    origin: { kind: "file", file },
  };
}
