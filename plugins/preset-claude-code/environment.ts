import path from "node:path";
import type { SectionContent, SectionContext } from "@quire/core";
import unixShell from "../../prompts/preset-claude-code/unix-shell.md";
import { knownModel } from "./known-models.js";

/** Of the machine, captured once when the preset is set up. */
export interface Kernel {
  /** `Linux`, `Darwin`. */
  readonly name: string;
  readonly release: string;
}

export type EnvironmentContext = Pick<
  SectionContext,
  "cwd" | "projectRoot" | "platform" | "shell" | "model" | "today" | "env" | "list"
>;

type Facts = readonly (readonly [key: string, value: string])[];

/** What the main prompt tells of the place and of the model. */
export async function environmentFacts(context: EnvironmentContext, kernel: Kernel): Promise<SectionContent> {
  const facts = [...(await placeFacts(context)), ["OS version", kernel.release], ...modelFacts(context.model.id)];
  return { kind: "facts", facts: oneLineEach(facts as Facts) };
}

/** The fuller account that a subagent gets: the kernel by name and release, and the date. */
export async function agentEnvironmentFacts(context: EnvironmentContext, kernel: Kernel): Promise<SectionContent> {
  const facts = [
    ...(await placeFacts(context)),
    ["OS version", `${kernel.name} ${kernel.release}`],
    ["Today's date", context.today],
    ...modelFacts(context.model.id),
  ];
  return { kind: "facts", facts: oneLineEach(facts as Facts) };
}

/** Differs whenever a fact could, but for files and variables, which are looked at anyway. */
export function environmentKey(context: EnvironmentContext): string {
  const { cwd, projectRoot, platform, shell, model } = context;
  return JSON.stringify([cwd, projectRoot, platform, shell, model.id]);
}

async function placeFacts(context: EnvironmentContext): Promise<Facts> {
  const names = await context.list(context.projectRoot).catch(() => null);
  const isRepository = names?.some((name) => name === ".git" || name === ".git/") ?? false;
  return [
    ["Working directory", context.cwd],
    ["Is a git repository", isRepository ? "yes" : "no"],
    ["Platform", context.platform],
    ["Shell", shellFact(context)],
  ];
}

function shellFact({ env, shell, platform }: Pick<EnvironmentContext, "env" | "shell" | "platform">): string {
  const own = env("SHELL")?.trim() ?? "";
  const name = own === "" ? shell : path.basename(own.replaceAll("\\", "/")).replace(/\.exe$/i, "");
  return /^win/i.test(platform) ? `${name} (${unixShell.trim()})` : name;
}

function modelFacts(id: string): Facts {
  const known = knownModel(id);
  return [
    ...(known === undefined ? [] : ([["Model", known.name]] as const)),
    ["Model id", id],
    ...(known === undefined ? [] : ([["Model family", known.family]] as const)),
    ...(known?.cutoff === undefined ? [] : ([["Knowledge cutoff", known.cutoff]] as const)),
  ];
}

/** A folder's name may hold a line break, which would look like one more fact. */
function oneLineEach(facts: Facts): Facts {
  return facts.map(([key, value]) => [key, value.replaceAll("\r", "\\r").replaceAll("\n", "\\n")] as const);
}
