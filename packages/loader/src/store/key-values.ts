import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { QuireError, type Config, type KeyValue } from "@quire/core";
import { isRecord } from "../record.js";
import { withLock } from "./file-lock.js";
import { writeWhole } from "./write-whole.js";

/**
 * Values of one plugin, of the user (`session` null) or of one session: a JSON file below `folder`. Each change reads
 * the file anew under a lock, so that processes at work together keep each other's keys.
 */
export function keyValues(folder: string, plugin: string, session: string | null): KeyValue {
  const name = session === null ? "user.json" : join("sessions", `${encodeURIComponent(session)}.json`);
  const file = join(folder, ...plugin.split("/").map(safeName), name);
  return {
    async get(key) {
      const values = await readValues(file);
      return Object.hasOwn(values, key) ? values[key] : undefined;
    },
    set: (key, value) =>
      withLock(`${file}.lock`, async () => {
        const values = new Map(Object.entries(await readValues(file)));
        if (value === undefined) values.delete(key);
        else values.set(key, value);
        await writeWhole(file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`);
      }),
  };
}

function safeName(part: string): string {
  return part === "" || part === "." || part === ".." ? `_${part}` : part.replaceAll(/[^\w@.-]/g, "_");
}

async function readValues(file: string): Promise<Config> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  try {
    const values: unknown = JSON.parse(text);
    if (isRecord(values)) return values;
  } catch {
    // Said below, together with JSON that is no mapping.
  }
  throw new QuireError({
    code: "store-invalid",
    level: "error",
    message: `The stored values of a plugin cannot be read: ${file} holds no JSON mapping`,
    at: { kind: "file", file },
    fix: "Mend the file, or move it away",
  });
}
