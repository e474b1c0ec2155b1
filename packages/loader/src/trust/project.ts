import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Diagnostic } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import { readConfigBytes } from "../config/read-config.js";
import { parseYamlFile } from "../config/yaml-file.js";
import { diskFiles } from "../disk-files.js";
import { parseSectionFile, type SectionFile } from "../markdown/section-file.js";
import { readSectionFiles } from "../markdown/section-files.js";
import { listTree } from "../tree.js";
import { configPart, type ConfigPart } from "./config-part.js";
import { hashOfBytes, hashOfFile } from "./file-hash.js";
import type { TrustPart } from "./trust-part.js";

/**
 * Config, section files and plugins of a project's `.quire` folder, read once: the bytes that are judged are the bytes
 * that are used. Plugins' own code is hashed where it is bundled.
 */
export interface Project extends TrustPart {
  /** `<root>/.quire`. */
  readonly folder: string;
  readonly config?: ConfigPart;
  /** What its section files say. */
  readonly sectionEdits: readonly (HostEdit | Diagnostic)[];
}

/**
 * @param withConfig False when another config file is the only one that counts.
 * @returns Null when the project has no `.quire` folder of its own; the user's own folder is none.
 */
export async function readProject(
  root: string,
  place: { readonly home: string; readonly quireHome: string },
  withConfig: boolean,
): Promise<Project | null> {
  const folder = join(root, ".quire");
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) return null;
  if ((await realpath(folder)) === (await realpath(place.quireHome).catch(() => place.quireHome))) return null;

  const configFile = join(folder, "config.yaml");
  const bytes = withConfig ? await readConfigBytes(configFile) : null;
  const config =
    bytes === null ? undefined : configPart(parseYamlFile(bytes, configFile), hashOfBytes(bytes), root, place.home);
  const sections = await readSectionFiles(join(folder, "sections"));
  const sectionEdits = sections.map((file) => parseSectionFile(file, "project"));
  const plugins = await namesIn(join(folder, "plugins"));
  return {
    folder,
    ...(config === undefined ? {} : { config }),
    sectionEdits,
    needsTrust: [
      ...(config?.needsTrust ?? []),
      ...sections.flatMap((file, index) => sectionNeeds(file, sectionEdits[index], root)),
      ...pluginNeeds(plugins),
    ],
    async hashes() {
      const pluginFiles = await listTree(join(folder, "plugins"), { maxDepth: 32, followLinks: false });
      return [
        ...((await config?.hashes()) ?? []),
        ...sections.map(({ file, bytes: text }) => [relative(root, file), hashOfBytes(text)] as const),
        ...(await Promise.all(
          pluginFiles.map(async (path) => {
            const file = join(folder, "plugins", path);
            return [relative(root, file), await hashOfFile(file)] as const;
          }),
        )),
      ];
    },
  };
}

function sectionNeeds(file: SectionFile, edit: HostEdit | Diagnostic | undefined, root: string): readonly string[] {
  if (edit === undefined || !("op" in edit) || !needsTrust(edit)) return [];
  return [`${relative(root, file.file)} ${edit.op}s the section ${edit.section}`];
}

/** Whether an edit of a section file takes prompt text away, rather than adding some. */
export function needsTrust(edit: HostEdit): boolean {
  return edit.op !== "append" && edit.op !== "prepend" && edit.op !== "add";
}

function pluginNeeds(names: readonly string[]): readonly string[] {
  return names.map((name) => `.quire/plugins/${name} is code`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = (await diskFiles.list(folder).catch(() => null)) ?? [];
  return names.filter((name) => !name.startsWith(".")).map((name) => name.replace(/\/$/, ""));
}
