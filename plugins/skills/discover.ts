import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic, Place, PluginHost } from "@quire/core";
import type { SkillRoot } from "./roots.js";
import { maxFrontMatterBytes, parseSkill, reason, skillProblem, type ParsedSkill, type Skill } from "./skill.js";

export interface Discovered {
  /** One of each name, in the order asked for. */
  readonly skills: readonly Skill[];
  readonly problems: readonly Diagnostic[];
}

export interface DiscoverRules {
  /** Which root counts when two have a skill of one name. */
  readonly wins: "first" | "last";
  /** Whether folders without a skill are looked into, one level deep. */
  readonly groups: boolean;
  readonly order: "name" | "roots";
}

/** Finds the skills under `roots`, one of each name. Broken ones are problems, as are those of an untrusted project. */
export async function discoverSkills(
  place: Pick<Place, "read" | "list">,
  roots: readonly SkillRoot[],
  rules: DiscoverRules,
  frontMatter: PluginHost["frontMatter"],
): Promise<Discovered> {
  const found = await Promise.all(
    roots.map(async (root, rank) => {
      const files = await skillFiles(place, root.folder, rules.groups);
      if (root.isUntrusted === true) return files.length === 0 ? [] : [untrusted(root, files.length)];
      return await Promise.all(files.map((file) => readHead(place, file, root, rank, frontMatter)));
    }),
  );
  return chooseByName(found.flat(), rules);
}

interface Found extends ParsedSkill {
  /** Its file with all links resolved: two ways to one file are one skill. */
  readonly realFile: string;
  /** Position of its root. */
  readonly rank: number;
}

async function readHead(
  place: Pick<Place, "read">,
  file: string,
  root: SkillRoot,
  rank: number,
  frontMatter: PluginHost["frontMatter"],
): Promise<Found> {
  const realFile = await realpath(file).catch(() => file);
  try {
    const head = await place.read(file, { maxBytes: maxFrontMatterBytes + 4_096 });
    return { realFile, rank, ...(head === null ? { problems: [] } : parseSkill(head, file, root, frontMatter)) };
  } catch (error) {
    return { realFile, rank, problems: [skillProblem("skill-unreadable", file, `is skipped: ${reason(error)}`)] };
  }
}

function untrusted({ folder }: SkillRoot, count: number): Found {
  const problem: Diagnostic = {
    code: "skills-untrusted",
    // The start says already what an untrusted project brings and does not get.
    level: "info",
    message: `${count === 1 ? "1 skill" : `${count} skills`} in ${folder}: not used, because the project is not trusted`,
    at: { kind: "file", file: folder },
    section: "skills/catalog",
    fix: "Start with --trust to use them this once",
  };
  return { realFile: folder, rank: 0, problems: [problem] };
}

/** `<skill>/SKILL.md` and `<group>/<skill>/SKILL.md`, and no deeper: a folder linked into itself comes to an end. */
async function skillFiles(place: Pick<Place, "list">, root: string, groups: boolean): Promise<readonly string[]> {
  const found = await Promise.all(
    (await subfolders(place, root)).map(async (folder) => {
      if (await holdsSkill(place, folder)) return [folder];
      if (!groups) return [];
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
    .map((name) => path.join(folder, name.slice(0, -1)));
}

async function holdsSkill(place: Pick<Place, "list">, folder: string): Promise<boolean> {
  const names = (await place.list(folder).catch(() => null)) ?? [];
  return names.includes("SKILL.md");
}

function chooseByName(found: readonly Found[], { wins, order }: DiscoverRules): Discovered {
  const problems: Diagnostic[] = [];
  const chosen = new Map<string, Found & { readonly skill: Skill }>();
  const seen = new Set<string>();
  // From the highest rank down, so that the first of a name or of a file is the one that counts.
  for (const entry of wins === "last" ? found.toReversed() : found) {
    if (seen.has(entry.realFile)) continue;
    seen.add(entry.realFile);
    problems.push(...entry.problems);
    const { skill } = entry;
    if (skill === undefined) continue;
    const winner = chosen.get(skill.name);
    if (winner === undefined) chosen.set(skill.name, { ...entry, skill });
    else problems.push(duplicate(skill, winner.skill));
  }
  const byName = [...chosen.values()].sort((a, b) => (a.skill.name < b.skill.name ? -1 : 1));
  const sorted = order === "name" ? byName : byName.toSorted((a, b) => a.rank - b.rank);
  return {
    skills: withOwnHandles(sorted.map(({ skill }) => skill)),
    problems: wins === "last" ? problems.toReversed() : problems,
  };
}

/** Two names may differ in signs alone: the later handle gets a number. */
function withOwnHandles(skills: readonly Skill[]): readonly Skill[] {
  const taken = new Set<string>();
  return skills.map((skill) => {
    let handle = skill.handle;
    for (let count = 2; taken.has(handle); count++) handle = `${skill.handle}-${count}`;
    taken.add(handle);
    return { ...skill, handle };
  });
}

function duplicate(loser: Skill, winner: Skill): Diagnostic {
  return skillProblem(
    "skill-duplicate",
    loser.file,
    `is hidden: ${winner.file} has the name "${winner.name}" too and ranks higher`,
  );
}
