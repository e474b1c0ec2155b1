import path from "node:path";
import { QuireError } from "@quire/core";
import type { Diagnostic, Place, SectionContent, SectionItem } from "@quire/core";
import { cutText, type TextLimits } from "./cut-text.js";

export interface MemoryFile {
  /** Absolute. */
  readonly path: string;
  /** As it stands in the file up to the limit met first, without newlines at the end. */
  readonly text: string;
  /** The limit that cut it, in words. */
  readonly limit?: string;
}

export interface LoadedMemory {
  readonly files: readonly MemoryFile[];
  readonly problems: readonly Omit<Diagnostic, "plugin">[];
}

/**
 * Reads the memory files that are there, none further than its limits. A missing one is no problem; what cannot be
 * used is one, and never stops the others.
 */
export async function loadMemory(
  place: Pick<Place, "read" | "list">,
  paths: readonly string[],
  limits: TextLimits,
): Promise<LoadedMemory> {
  const loaded = await Promise.all(paths.map((file) => loadFile(place, file, limits)));
  return {
    files: loaded.flatMap(({ file }) => (file === undefined ? [] : [file])),
    problems: loaded.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  };
}

/** One item for each file, named by its path; null when there is none. */
export function memoryItems(files: readonly MemoryFile[], intro: string, marker: string): SectionContent | null {
  if (files.length === 0) return null;
  const items = files.map(({ path: file, text, limit }): SectionItem => ({
    id: file,
    text,
    attrs: { path: file },
    origin: { kind: "file", file },
    ...(limit === undefined ? {} : { cut: `\n${marker.replace("{file}", () => file).replace("{limit}", limit)}` }),
  }));
  return { kind: "items", items, intro };
}

interface Outcome {
  readonly file?: MemoryFile;
  readonly problem?: Omit<Diagnostic, "plugin">;
}

async function loadFile(place: Pick<Place, "read" | "list">, file: string, limits: TextLimits): Promise<Outcome> {
  try {
    // The longest character has 4 bytes: of a longer file still more than the limit is seen.
    const text = await place.read(file, { maxBytes: limits.maxBytes + 4 });
    if (text === null) return (await isListed(place, file)) ? leftOut(file, "it is a link to nothing") : {};
    const cut = cutText(text, limits);
    if (cut.text.includes("\0")) return leftOut(file, "it is not text: it holds zero bytes");
    if (cut.text.trim() === "") return leftOut(file, "it is empty", "info");
    return {
      file: { path: file, ...cut, text: cut.text.replace(/[\r\n]+$/, "") },
      ...(cut.limit === undefined ? {} : { problem: wasCut(file, cut.limit) }),
    };
  } catch (error) {
    return leftOut(file, reason(error));
  }
}

/** A name that is listed but cannot be opened is a dangling link. */
async function isListed(place: Pick<Place, "list">, file: string): Promise<boolean> {
  const names = await place.list(path.dirname(file)).catch(() => null);
  return names?.includes(path.basename(file)) ?? false;
}

function leftOut(file: string, why: string, level: "warn" | "info" = "warn"): Outcome {
  const problem = {
    code: level === "info" ? "memory-file-empty" : "memory-file-unreadable",
    level,
    message: `The memory file ${file} is left out: ${why}`,
    at: { kind: "file", file },
    section: "memory/files",
    fix: "Make it a readable UTF-8 text file, or move it away",
  } as const;
  return { problem };
}

function wasCut(file: string, limit: string): Omit<Diagnostic, "plugin"> {
  return {
    code: "memory-file-cut",
    level: "warn",
    message: `The memory file ${file} is too long: ${limit} are shown`,
    at: { kind: "file", file },
    section: "memory/files",
    fix: "Shorten it, or raise memory.max_bytes and memory.max_lines in config",
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
  ["ELOOP", "it is a link to itself"],
]);
