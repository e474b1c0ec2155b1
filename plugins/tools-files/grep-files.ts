import type { ToolContext } from "@quire/core";
import { ToolError } from "@quire/core";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileError } from "./file-error.js";
import { compileGlob } from "./glob.js";
import { renderListing } from "./listing.js";
import type { Overflow } from "./overflow.js";
import type { Hit } from "./search-worker.js";
import { maxSearchedBytes, SearchWorker, SlowSearchError } from "./search-worker.js";
import { resolvePath, showPath } from "./tool-path.js";
import { unreadableNote } from "./unreadable-note.js";
import { walk } from "./walk.js";

export interface GrepArguments {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
}

/** The search stops after so many matching lines. */
export const maxHits = 10_000;
const maxMsPerFile = 10_000;
const filesPerBatch = 64;

interface Found {
  readonly hits: Hit[];
  binary: number;
  readonly large: string[];
  readonly unreadable: string[];
  /** The file at which the pattern ran out of time. */
  slowFile?: string;
}

/** Lines that match a regular expression, as `file:line: text`. */
export async function grepForModel(
  { pattern, path = ".", glob }: GrepArguments,
  context: ToolContext,
  overflow: Overflow,
  limits: { readonly maxMsPerFile: number } = { maxMsPerFile },
): Promise<string> {
  const compiled = compilePattern(pattern);
  const absolute = resolvePath(path, context);
  const shown = showPath(absolute, context.cwd);
  const found: Found = { hits: [], binary: 0, large: [], unreadable: [] };
  try {
    const isFolder = (await stat(absolute)).isDirectory();
    const matches = glob === undefined ? () => true : compileGlob(glob, absolute);
    const batches = isFolder ? folderBatches(absolute, matches, context, found) : [[absolute]];
    await searchAll(batches, new SearchWorker(compiled, limits.maxMsPerFile), context.signal, found);
  } catch (error) {
    context.signal.throwIfAborted();
    throw await fileError(error, "search", absolute, shown);
  }
  return report(found, { pattern, shown, cwd: context.cwd }, overflow);
}

/** Node 20 knows no flags inside a pattern, and `(?i)` in front is what many would write. */
function compilePattern(pattern: string): RegExp {
  const ignoreCase = pattern.startsWith("(?i)");
  const source = ignoreCase ? pattern.slice(4) : pattern;
  const flags = (ignoreCase ? "i" : "") + (/\\[pPu]\{/.test(source) ? "u" : "");
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new ToolError({
      code: "pattern-invalid",
      level: "error",
      message: error instanceof Error ? error.message : String(error),
      fix: "To find characters such as ( [ { . * + ? literally, put a backslash before them",
    });
  }
}

async function* folderBatches(
  folder: string,
  matches: (path: string) => boolean,
  context: ToolContext,
  found: Found,
): AsyncGenerator<readonly string[]> {
  const options = {
    fallbackRoot: context.projectRoot,
    signal: context.signal,
    onUnreadable: (path: string) => found.unreadable.push(join(folder, path)),
  };
  let batch: string[] = [];
  for await (const { path, kind } of walk(folder, options)) {
    if (kind !== "file" || !matches(path)) continue;
    batch.push(join(folder, path));
    if (batch.length < filesPerBatch) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function searchAll(
  batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  worker: SearchWorker,
  signal: AbortSignal,
  found: Found,
): Promise<void> {
  try {
    for await (const batch of batches) {
      const options = {
        maxHits: maxHits - found.hits.length,
        onHits: (hits: readonly Hit[]) => found.hits.push(...hits),
      };
      const result = await worker.search(batch, options, signal);
      found.binary += result.binary;
      found.large.push(...result.large);
      found.unreadable.push(...result.unreadable);
      if (found.hits.length >= maxHits) return;
    }
  } catch (error) {
    if (!(error instanceof SlowSearchError)) throw error;
    found.slowFile = error.file;
  } finally {
    await worker.end();
  }
}

function report(
  found: Found,
  { pattern, shown, cwd }: { pattern: string; shown: string; cwd: string },
  overflow: Overflow,
): Promise<string> {
  const names = (files: readonly string[]): readonly string[] => files.map((file) => showPath(file, cwd));
  if (found.slowFile !== undefined && found.hits.length === 0) {
    throw new ToolError({
      code: "pattern-slow",
      level: "error",
      message: `The pattern did not finish in ${showPath(found.slowFile, cwd)}, so the search was stopped`,
      fix: "Avoid repeats inside repeats, such as (a+)+, or search for plain words",
    });
  }
  const notes = unreadableNote(names(found.unreadable));
  if (found.hits.length >= maxHits) notes.push(`The search stopped at ${maxHits} matches; narrow it`);
  if (found.slowFile !== undefined) {
    notes.push(`The search stopped at ${showPath(found.slowFile, cwd)}: the pattern did not finish there`);
  }
  if (found.large.length > 0) {
    const first = names(found.large).slice(0, 5).join(", ");
    notes.push(`Not searched, over ${maxSearchedBytes / 1024 / 1024} MiB: ${first}${more(found.large, 5)}`);
  }
  if (found.binary > 0) notes.push(`Not searched, binary: ${found.binary} files`);
  const hint = /\\n/.test(pattern) ? "; a pattern never spans lines" : "";
  return renderListing(
    {
      lines: found.hits.map(({ file, line, text }) => `${showPath(file, cwd)}:${line}: ${text}`),
      noun: "matching lines",
      name: "grep",
      empty: `No line in ${shown} matches ${pattern}${hint}`,
      notes,
    },
    overflow,
  );
}

function more(items: readonly string[], shown: number): string {
  return items.length > shown ? ` and ${items.length - shown} more` : "";
}
