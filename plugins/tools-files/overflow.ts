import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keeps what is too large for an answer in files of a folder that only the user can enter. */
export interface Overflow {
  /** @returns The absolute path of a new file with the text. */
  save(name: string, text: string): Promise<string>;
}

/** The folder is made at the first use (mode 0700) and left to the system's cleaning of its temporary files. */
export function createOverflow(): Overflow {
  let folder: string | undefined;
  let count = 0;
  return {
    async save(name, text) {
      // Some systems clean their temporary folder while a long session goes on.
      if (folder === undefined || !existsSync(folder)) folder = await mkdtemp(join(tmpdir(), "quire-files-"));
      const file = join(folder, `${name}-${++count}.txt`);
      await writeFile(file, text, { mode: 0o600, flag: "wx" });
      return file;
    },
  };
}
