import path from "node:path";
import type { Diagnostic, Place, PluginHost } from "@quire/core";
import { lookAt } from "./disk-facts.js";
import type { InstructionFile } from "./instruction-file.js";
import { parsePathRule } from "./path-rules.js";
import { fileProblem } from "./problems.js";
import { readText, type Reader } from "./read-text.js";
import { isInside, type Spot } from "./spots.js";

export interface ChainRules {
  /** Where reading one file stops; the longest character has 4 bytes, so that a longer file is noticed. */
  readonly maxBytes: number;
  readonly pathRules: boolean;
  readonly countUnreadable: boolean;
  readonly reportHidden: boolean;
}

export interface ChainInput {
  readonly place: Pick<Place, "projectRoot" | "trusted" | "list">;
  readonly read: Reader;
  readonly frontMatter: PluginHost["frontMatter"];
  readonly rules: ChainRules;
}

export interface LoadedFiles {
  /** In the order of the prompt, none twice. */
  readonly files: readonly InstructionFile[];
  readonly problems: readonly Diagnostic[];
}

/** Reads the files of all spots. What cannot be read is a problem and never stops the others. */
export async function loadChain(spots: readonly Spot[], input: ChainInput): Promise<LoadedFiles> {
  const loaded = await Promise.all(spots.map((spot) => loadSpot(spot, input)));
  const files = new Map<string, InstructionFile>();
  for (const file of loaded.flatMap((one) => one.files)) if (!files.has(file.realPath)) files.set(file.realPath, file);
  return { files: [...files.values()], problems: loaded.flatMap(({ problems }) => problems) };
}

async function loadSpot(spot: Spot, input: ChainInput): Promise<LoadedFiles> {
  const files: InstructionFile[] = [];
  const problems: Diagnostic[] = [];
  const candidates = await candidatesOf(spot, input.place);
  for (const [index, candidate] of candidates.entries()) {
    const found = await loadFile(candidate, spot, input);
    if (found.problem !== undefined) problems.push(found.problem);
    if (found.file === undefined) continue;
    files.push(found.file);
    if (spot.take === "all" || found.file.isUnreadable === true) continue;
    if (input.rules.reportHidden) problems.push(...(await hiddenBy(found.file, candidates.slice(index + 1), input)));
    break;
  }
  return { files, problems };
}

/** Names with a `*` become those that are there, sorted. */
async function candidatesOf(spot: Spot, place: Pick<Place, "list">): Promise<readonly string[]> {
  const found = await Promise.all(
    spot.names.map(async (name) => {
      const file = path.join(spot.folder, name);
      const [start, end, ...more] = path.basename(file).split("*");
      if (start === undefined || end === undefined || more.length > 0) return [file];
      const names = (await place.list(path.dirname(file)).catch(() => null)) ?? [];
      return names
        .filter((one) => one.startsWith(start) && one.endsWith(end) && one.length >= start.length + end.length)
        .filter((one) => !one.endsWith("/"))
        .map((one) => path.join(path.dirname(file), one));
    }),
  );
  return found.flat();
}

interface FoundFile {
  readonly file?: InstructionFile;
  readonly problem?: Diagnostic;
}

async function loadFile(file: string, spot: Spot, input: ChainInput): Promise<FoundFile> {
  const { rules, place } = input;
  const about = { path: file, own: spot.own, ...(spot.scope === undefined ? {} : { scope: spot.scope }) };
  const leftOut = (code: Parameters<typeof fileProblem>[0], why: string): FoundFile => ({
    problem: fileProblem(code, file, `The instruction file ${file} is left out: ${why}`),
    ...(rules.countUnreadable ? { file: { ...about, realPath: file, text: "", line: 1, isUnreadable: true } } : {}),
  });
  if (spot.endings !== undefined && !spot.endings.includes(path.extname(file))) {
    return leftOut("instruction-file-unreadable", `its name does not end in ${spot.endings.join(" or ")}`);
  }
  const result = await readText(input.read, file, rules.maxBytes + 4);
  if (result.kind === "absent") return spot.isNamed ? leftOut("instruction-file-unreadable", "it does not exist") : {};
  if (result.kind === "unreadable") return leftOut("instruction-file-unreadable", result.why);
  if (!spot.own && !place.trusted && (await leadsOutside(file, result.realPath, place.projectRoot))) {
    const why = `it is a link to ${result.realPath}, outside the project, and the project is not trusted`;
    return leftOut("instruction-file-outside", why);
  }
  const ruled = rules.pathRules
    ? parsePathRule(result.text, file, input.frontMatter)
    : { text: result.text, line: 1, paths: undefined, problem: undefined };
  return {
    file: {
      ...about,
      realPath: result.realPath,
      text: ruled.text,
      line: ruled.line,
      ...(ruled.paths === undefined ? {} : { paths: ruled.paths }),
    },
    ...(ruled.problem === undefined ? {} : { problem: ruled.problem }),
  };
}

/** Whether a path inside the project is a link that leads out of it. */
async function leadsOutside(file: string, realPath: string, projectRoot: string): Promise<boolean> {
  if (!isInside(projectRoot, file)) return false;
  return !isInside((await lookAt(projectRoot)).realPath, realPath);
}

/** Files that would have counted, had another of their folder not come first. */
async function hiddenBy(
  file: InstructionFile,
  rest: readonly string[],
  input: ChainInput,
): Promise<readonly Diagnostic[]> {
  const found = await Promise.all(
    rest.map(async (path) => ({ path, result: await readText(input.read, path, input.rules.maxBytes + 4) })),
  );
  return found
    .filter(({ result }) => result.kind === "text" && result.realPath !== file.realPath)
    .map(({ path }) =>
      fileProblem(
        "instruction-file-hidden",
        path,
        `The instruction file ${path} is not read: ${file.path} comes first`,
        {
          level: "info",
        },
      ),
    );
}
