import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic, Place, PluginHost } from "@quire/core";
import type { SkillRoot } from "./roots.js";
import { maxFrontMatterBytes, parseSkill, reason, skillProblem, type ParsedSkill, type Skill } from "./skill.js";

export interface Discovered {
  /** One of each name, sorted by name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly Diagnostic[];
}

/** Finds the skills under `roots`; of two with one name the later root's counts. Broken ones are problems. */
export async function discoverSkills(
  place: Pick<Place, "read" | "list">,
  roots: readonly SkillRoot[],
  frontMatter: PluginHost["frontMatter"],
): Promise<Discovered> {
  const found = await Promise.all(roots.map((root) => skillsIn(place, root, frontMatter)));
  return chooseByName(found.flat());
}

interface Found extends ParsedSkill {
  /** Its file with all links resolved: two ways to one file are one skill. */
  readonly realFile: string;
}

async function skillsIn(
  place: Pick<Place, "read" | "list">,
  root: SkillRoot,
  frontMatter: PluginHost["frontMatter"],
): Promise<readonly Found[]> {
  const files = await skillFiles(place, root.folder);
  return await Promise.all(
    files.map(async (file) => {
      const realFile = await realpath(file).catch(() => file);
      try {
        const head = await place.read(file, { maxBytes: maxFrontMatterBytes + 4_096 });
        if (head === null) return { realFile, problems: [] };
        return { realFile, ...parseSkill(head, file, root.scope, frontMatter) };
      } catch (error) {
        return {
          realFile,
          problems: [skillProblem("skill-unreadable", file, `is skipped: ${reason(error)}`)],
        };
      }
    }),
  );
}

/** `<skill>/SKILL.md` and `<group>/<skill>/SKILL.md`, and no deeper: a folder linked into itself comes to an end. */
async function skillFiles(place: Pick<Place, "list">, root: string): Promise<readonly string[]> {
  const found = await Promise.all(
    (await subfolders(place, root)).map(async (folder) => {
      if (await holdsSkill(place, folder)) return [folder];
      const inner = await subfolders(place, folder);
      const isSkill = await Promise.all(inner.map((skill) => holdsSkill(place, skill)));
      return inner.filter((_, index) => isSkill[index] === true);
    }),
  );
  return found.flat().map((folder) => path.join(folder, "SKILL.md"));
}

async function subfolders(place: Pick<Place, "list">, folder: string): Promise<readonly string[]> {
  const names = (await place.list(folder).catch(() => null)) ?? [];
  return names
    .filter((name) => name.endsWith("/") && !name.startsWith(".") && name !== "node_modules/")
    .map((name) => path.join(folder, name));
}

async function holdsSkill(place: Pick<Place, "list">, folder: string): Promise<boolean> {
  const names = (await place.list(folder).catch(() => null)) ?? [];
  return names.includes("SKILL.md");
}

function chooseByName(found: readonly Found[]): Discovered {
  const problems: Diagnostic[] = [];
  const chosen = new Map<string, Found & { readonly skill: Skill }>();
  const seen = new Set<string>();
  // From the highest rank down, so that the first of a name or of a file is the one that counts.
  for (const entry of found.toReversed()) {
    if (seen.has(entry.realFile)) continue;
    seen.add(entry.realFile);
    problems.push(...entry.problems);
    const { skill } = entry;
    if (skill === undefined) continue;
    const winner = chosen.get(skill.name);
    if (winner === undefined) chosen.set(skill.name, { ...entry, skill });
    else problems.push(duplicate(skill, winner.skill));
  }
  const skills = [...chosen.values()].map(({ skill }) => skill);
  return { skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)), problems: problems.toReversed() };
}

function duplicate(loser: Skill, winner: Skill): Diagnostic {
  return skillProblem(
    "skill-duplicate",
    loser.file,
    `is hidden: ${winner.file} has the name "${winner.name}" too and ranks higher`,
  );
}
