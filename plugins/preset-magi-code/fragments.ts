import path from "node:path";
import { PluginError, QuireError } from "@quire/core";
import type { SectionContext } from "@quire/core";
import codemode from "../../prompts/preset-magi-code/codemode.md";
import compact from "../../prompts/preset-magi-code/compact.md";
import skills from "../../prompts/preset-magi-code/skills.md";
import subagents from "../../prompts/preset-magi-code/subagents.md";
import system from "../../prompts/preset-magi-code/system.md";
import tools from "../../prompts/preset-magi-code/tools.md";
import { checkVariables, fragmentNames, type FragmentName } from "./fragment-variables.js";
import { magiHome } from "./magi-home.js";

export interface Fragment {
  /** Without white space at its ends; variables stand as written. */
  readonly text: string;
  /** The user's file; absent for the bundled text. */
  readonly file?: string;
}

export type Fragments = Readonly<Record<FragmentName, Fragment>>;

const bundled: Readonly<Record<FragmentName, string>> = { system, tools, codemode, subagents, skills, compact };

type FragmentPlace = Pick<SectionContext, "home" | "env" | "cwd" | "read">;

/**
 * Reads and checks every fragment.
 * @throws {PluginError} `fragment-variable-unknown`, `fragment-unreadable`.
 */
export async function loadFragments(place: FragmentPlace): Promise<Fragments> {
  const loaded = await Promise.all(fragmentNames.map(async (name) => [name, await loadFragment(name, place)] as const));
  return Object.fromEntries(loaded) as Fragments;
}

/**
 * Reads and checks one fragment: the user's where there is one, else the bundled. Nothing is tracked: a prompt is built
 * once.
 * @throws {PluginError} `fragment-variable-unknown`, `fragment-unreadable`.
 */
export async function loadFragment(name: FragmentName, place: FragmentPlace): Promise<Fragment> {
  const file = path.join(magiHome(place), "prompts", `${name}.md`);
  const own = await readOwn(name, file, place);
  if (own === null) return { text: bundled[name].trim() };
  checkVariables(name, own, file);
  return { text: own.trim(), file };
}

async function readOwn(name: FragmentName, file: string, place: FragmentPlace): Promise<string | null> {
  try {
    return await place.read(file, { maxBytes: maxFragmentBytes, track: false });
  } catch (error) {
    const why = QuireError.is(error)
      ? error.diagnostic.message
      : error instanceof Error
        ? error.message
        : String(error);
    throw new PluginError({
      code: "fragment-unreadable",
      level: "error",
      message: `The fragment ${name}.md cannot be read: ${why}`,
      at: { kind: "file", file },
      fix: "Make it a readable UTF-8 text file, or take it away: the bundled text then stands in",
      cause: error,
    });
  }
}

/** More than any guidance takes. */
const maxFragmentBytes = 1_000_000;
