import { join } from "node:path";
import { realpath } from "node:fs/promises";
import { parseYamlFile } from "../config/yaml-file.js";
import { diskFiles } from "../disk-files.js";
import { withLock } from "../store/file-lock.js";
import { writeWhole } from "../store/write-whole.js";
import { yamlLibrary } from "../yaml-library.js";

/** The hash of what the user trusted of a project, kept in `$QUIRE_HOME/trust.yaml`; undefined when nothing. */
export async function trustedHash(quireHome: string, projectRoot: string): Promise<string | undefined> {
  const hash = (await readStore(trustFile(quireHome)))[await realFolder(projectRoot)];
  return typeof hash === "string" ? hash : undefined;
}

/** Keeps the hash of what the user trusts of a project from now on. */
export async function storeTrust(quireHome: string, projectRoot: string, hash: string): Promise<void> {
  const file = trustFile(quireHome);
  await withLock(`${file}.lock`, async () => {
    const known = new Map(Object.entries(await readStore(file)));
    known.set(await realFolder(projectRoot), hash);
    await writeWhole(
      file,
      `# Projects whose own config, plugins and section files you accepted, as they were then.\n${yamlLibrary().stringify(Object.fromEntries(known))}`,
    );
  });
}

function trustFile(quireHome: string): string {
  return join(quireHome, "trust.yaml");
}

async function readStore(file: string): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await diskFiles.read(file);
  return bytes === null ? {} : parseYamlFile(bytes, file).value;
}

async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}
