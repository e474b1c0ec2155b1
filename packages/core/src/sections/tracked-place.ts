import type { Place } from "../index.js";
import type { Files } from "../host-door.js";
import { pluginError } from "../errors.js";

/** What a compute looked at, and how it was then. */
export interface Reads {
  readonly paths: Map<string, string>;
  readonly env: Map<string, string | undefined>;
}

export type PlaceFacts = Omit<Place, "read" | "list">;

/** A place whose reads go to `files`; `reads` collects what was looked at. */
export function createPlace(facts: PlaceFacts, files: Files, reads?: Reads): Place {
  const track = async (path: string) => {
    if (reads !== undefined && !reads.paths.has(path)) reads.paths.set(path, await files.stamp(path));
  };
  return {
    ...facts,
    env(name) {
      const value = facts.env(name);
      reads?.env.set(name, value);
      return value;
    },
    async read(file, { maxBytes, track: isTracked = true } = {}) {
      if (isTracked) await track(file);
      const bytes = await files.read(file, maxBytes);
      return bytes === null ? null : decode(bytes, file, maxBytes !== undefined && bytes.length >= maxBytes);
    },
    async list(folder) {
      await track(folder);
      return await files.list(folder);
    },
  };
}

/** Whether everything that was looked at is as it was. */
export async function isUnchanged(reads: Reads, facts: PlaceFacts, files: Files): Promise<boolean> {
  for (const [name, value] of reads.env) if (facts.env(name) !== value) return false;
  const stamps = await Promise.all([...reads.paths].map(async ([path, stamp]) => (await files.stamp(path)) === stamp));
  return stamps.every(Boolean);
}

/** @param isCut A character that is not whole at the end is no fault of the file. */
function decode(bytes: Uint8Array, file: string, isCut: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    const more = { at: { kind: "file", file }, fix: "Save it as UTF-8" } as const;
    throw pluginError("file-not-utf8", `${file} is not UTF-8 text`, more);
  }
}
