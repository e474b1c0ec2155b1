import path from "node:path";
import type { Diagnostic, Place } from "@quire/core";
import { lookAt } from "./disk-facts.js";
import { includeTargets, resolveTarget } from "./include-targets.js";
import type { InstructionFile } from "./instruction-file.js";
import type { ChainInput, LoadedFiles } from "./load-chain.js";
import { parsePathRule, isMatchingWork, type Work } from "./path-rules.js";
import { fileProblem } from "./problems.js";
import { readText } from "./read-text.js";
import { isInside } from "./spots.js";

export interface IncludeInput extends ChainInput {
  readonly place: ChainInput["place"] & Pick<Place, "home">;
  readonly work: Work;
  /** Steps between a file of the chain and one it brings. */
  readonly depth: number;
}

interface Walk {
  readonly input: IncludeInput;
  /** Real paths of the chain and of all that was brought so far: none comes twice, and a circle ends. */
  readonly seen: Set<string>;
  readonly realRoot: string;
  readonly problems: Diagnostic[];
}

/**
 * Puts before each file the files it includes, and theirs before them. A file of the chain keeps its own place, whoever
 * includes it. What does not exist is no include.
 */
export async function withIncludes(chain: readonly InstructionFile[], input: IncludeInput): Promise<LoadedFiles> {
  const walk: Walk = {
    input,
    seen: new Set(chain.map(({ realPath }) => realPath)),
    realRoot: (await lookAt(input.place.projectRoot)).realPath,
    problems: [],
  };
  const files: InstructionFile[] = [];
  // One after another: which of two files brings a third must not depend on the disk's speed.
  for (const file of chain) files.push(...(await includedBy(file, 1, walk)), file);
  return { files, problems: walk.problems };
}

async function includedBy(file: InstructionFile, step: number, walk: Walk): Promise<readonly InstructionFile[]> {
  const { input, problems } = walk;
  if (file.paths !== undefined && !isMatchingWork(file.paths, input.work)) return [];
  const brought: InstructionFile[] = [];
  for (const target of includeTargets(file.text)) {
    const wanted = resolveTarget(target, path.dirname(file.path), input.place.home);
    const found = await loadIncluded(wanted, file, step, walk);
    if (found === undefined) continue;
    walk.seen.add(found.realPath);
    brought.push(...(await includedBy(found, step + 1, walk)), found);
    if (walk.seen.size > maxFiles) {
      problems.push(tooMany(file.path));
      break;
    }
  }
  return brought;
}

async function loadIncluded(
  wanted: string,
  by: InstructionFile,
  step: number,
  walk: Walk,
): Promise<InstructionFile | undefined> {
  const { input, problems, seen } = walk;
  const { kind, realPath } = await lookAt(wanted);
  if (kind === "folder" || seen.has(realPath)) return undefined;
  const isIn = isInside(walk.realRoot, kind === "absent" ? wanted : realPath);
  const says = `The instruction file ${by.path} includes ${wanted}, which is left out`;
  if (!by.own && !input.place.trusted && !(isIn && isOpen(walk.realRoot, realPath))) {
    if (kind !== "absent") problems.push(fileProblem("instruction-include-outside", by.path, `${says}: ${outside}`));
    return undefined;
  }
  const result = await readText(input.read, wanted, input.rules.maxBytes + 4);
  if (result.kind === "absent" || kind === "dangling") return undefined;
  if (result.kind === "unreadable") {
    problems.push(fileProblem("instruction-include-unreadable", by.path, `${says}: ${result.why}`));
    return undefined;
  }
  if (step > input.depth) {
    const why = `it would be ${step} steps away, and ${input.depth} are followed`;
    problems.push(fileProblem("instruction-include-deep", by.path, `${says}: ${why}`));
    return undefined;
  }
  const ruled = input.rules.pathRules
    ? parsePathRule(result.text, wanted, input.frontMatter)
    : { text: result.text, line: 1 };
  if (ruled.problem !== undefined) problems.push(ruled.problem);
  return {
    path: wanted,
    realPath: result.realPath,
    text: ruled.text,
    line: ruled.line,
    // What lies in a project may have been written by anybody, even when the user's own file brings it.
    own: by.own && !isIn,
    includedBy: by.path,
    ...(by.scope === undefined ? {} : { scope: by.scope }),
    ...(ruled.paths === undefined ? {} : { paths: ruled.paths }),
  };
}

const outside = "it lies outside the project or in its .git folder, and the project is not trusted";

/** A repository's own folder may hold passwords of its remotes. */
function isOpen(root: string, file: string): boolean {
  return !path.relative(root, file).split(path.sep).includes(".git");
}

function tooMany(file: string): Diagnostic {
  const message = `The instruction file ${file} includes more: all together ${maxFiles} files are followed`;
  return fileProblem("instruction-include-deep", file, message);
}

const maxFiles = 200;
