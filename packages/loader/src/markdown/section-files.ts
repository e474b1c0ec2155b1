import { join } from "node:path";
import { diskFiles } from "../disk-files.js";
import { listTree } from "../tree.js";
import { maxSectionFileBytes, type SectionFile } from "./section-file.js";

/** Reads the Markdown files of a `sections/` folder; one byte more than allowed shows that a file is too large. */
export async function readSectionFiles(folder: string): Promise<readonly SectionFile[]> {
  const paths = (await listTree(folder)).filter((path) => path.endsWith(".md"));
  const files = await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path);
      const bytes = await diskFiles.read(file, maxSectionFileBytes + 1);
      return bytes === null ? undefined : { file, path, bytes };
    }),
  );
  return files.filter((file) => file !== undefined);
}
