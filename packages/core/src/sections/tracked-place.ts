import type { Files } from "../contracts/host.js";
import type { Place } from "../contracts/place.js";
import { PluginError } from "../errors.js";
import { headBytes } from "../text/utf8.js";

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
    async read(file, options) {
      if (options?.track !== false) await track(file);
      const bytes = await files.read(file, options?.maxBytes);
      return bytes === null ? null : decode(bytes, file, options?.maxBytes);
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

function decode(bytes: Uint8Array, file: string, maxBytes: number | undefined): string {
  try {
    return decoder.decode(bytes);
  } catch {
    // A cut in the middle of a character is no fault of the file.
    if (maxBytes !== undefined && bytes.length >= maxBytes) {
      for (let cut = 1; cut < 4; cut++) {
        try {
          return headBytes(decoder.decode(bytes.subarray(0, bytes.length - cut)), maxBytes);
        } catch {
          continue;
        }
      }
    }
    throw new PluginError({
      code: "file-not-utf8",
      level: "error",
      message: `${file} is not UTF-8 text`,
      at: { kind: "file", file },
      fix: "Save it as UTF-8",
    });
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
