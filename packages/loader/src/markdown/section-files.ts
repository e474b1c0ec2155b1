import { join } from "node:path";
import { diskFiles } from "../disk-files.js";
import { listTree } from "../tree.js";
import { maxSectionFileBytes, type SectionFile } from "./section-file.js";

/** `<plugin>/<name>.md`, `@scope/<plugin>/<name>.md`, and one level more for files that stand too deep. */
const maxDepth = 4;

/** Reads the Markdown files of a `sections/` folder; one byte more than allowed shows that a file is too large. */
export async function readSectionFiles(folder: string): Promise<readonly SectionFile[]> {
  const paths = (await listTree(folder, { maxDepth, followLinks: true })).filter((path) => path.endsWith(".md"));
  const files = await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path);
      const bytes = await diskFiles.read(file, maxSectionFileBytes + 1).catch((error: Error) => error);
      return bytes === null ? undefined : { file, path, bytes };
    }),
  );
  return files.filter((file) => file !== undefined);
}
