import { QuireError } from "@quire/core";
import type { Diagnostic, Place, SectionContent, SectionItem } from "@quire/core";
import type { Candidates } from "./chain.js";

export interface InstructionFile {
  /** Absolute. */
  readonly path: string;
  /** As it stands in the file, cut a little above the byte limit when it is longer. */
  readonly text: string;
}

export interface LoadedFiles {
  /** Without empty ones, in the order of the chain, none twice. */
  readonly files: readonly InstructionFile[];
  readonly problems: readonly Diagnostic[];
}

/**
 * Reads, at each place, the first file that is there and can be read. What cannot be read is a problem and never stops
 * the others.
 * @param required Paths the user named: a missing one is a problem too.
 * @param maxBytes Where reading one file stops.
 */
export async function loadFiles(
  place: Pick<Place, "read">,
  chain: readonly Candidates[],
  required: ReadonlySet<string>,
  maxBytes: number,
): Promise<LoadedFiles> {
  const places = await Promise.all(chain.map((candidates) => loadFirst(place, candidates, required, maxBytes)));
  const found = places.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const byPath = new Map(found.map((file) => [file.path, file]));
  return {
    files: [...byPath.values()].filter(({ text }) => text.trim() !== ""),
    problems: places.flatMap(({ problems }) => problems),
  };
}

/** One item for each file, named by its path; null when there is none. */
export function instructionItems(files: readonly InstructionFile[], intro: string): SectionContent | null {
  if (files.length === 0) return null;
  const items = files.map(({ path, text }): SectionItem => ({
    id: path,
    text,
    attrs: { path },
    origin: { kind: "file", file: path },
  }));
  return { kind: "items", items, intro };
}

interface FoundFile {
  readonly file?: InstructionFile;
  readonly problems: readonly Diagnostic[];
}

async function loadFirst(
  place: Pick<Place, "read">,
  candidates: Candidates,
  required: ReadonlySet<string>,
  maxBytes: number,
): Promise<FoundFile> {
  const problems: Diagnostic[] = [];
  for (const path of candidates) {
    try {
      // The longest character has 4 bytes: a longer file still comes out above the limit, so the budget notices.
      const text = await place.read(path, { maxBytes: maxBytes + 4 });
      if (text !== null) return { file: { path, text }, problems };
      if (required.has(path)) problems.push(unreadable(path, new Error("it does not exist")));
    } catch (error) {
      problems.push(unreadable(path, error));
    }
  }
  return { problems };
}

function unreadable(file: string, error: unknown): Diagnostic {
  return {
    code: "instruction-file-unreadable",
    level: "warn",
    message: `The instruction file ${file} is left out: ${reason(error)}`,
    at: { kind: "file", file },
    section: "agents-md/files",
    fix: "Make it a readable UTF-8 text file, or move it away; a file of instruction_files.extra may also be taken out there",
  };
}

function reason(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  if (!(error instanceof Error)) return String(error);
  const known = "code" in error ? plainReasons.get(error.code) : undefined;
  return known ?? error.message;
}

const plainReasons: ReadonlyMap<unknown, string> = new Map([
  ["EISDIR", "it is a folder"],
  ["EACCES", "you may not read it"],
]);
