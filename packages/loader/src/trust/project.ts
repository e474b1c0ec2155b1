import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Diagnostic } from "@quire/core";
import { sha256, type HostEdit } from "@quire/core/host";
import { readConfigBytes } from "../config/read-config.js";
import { parseYamlFile, type YamlFile } from "../config/yaml-file.js";
import { diskFiles } from "../disk-files.js";
import {
  onlyAddsText,
  readSectionText,
  sectionEntries,
  sectionTextFiles,
  type SectionText,
} from "../edits/config-edits.js";
import { parseSectionFile, type SectionFile } from "../markdown/section-file.js";
import { readSectionFiles } from "../markdown/section-files.js";
import { listTree } from "../tree.js";

/** What a project brings in its `.quire` folder, read once: the bytes that are judged are the bytes that are used. */
export interface Project {
  /** `<root>/.quire`. */
  readonly folder: string;
  readonly config?: YamlFile;
  /** What its section files say. */
  readonly sectionEdits: readonly (HostEdit | Diagnostic)[];
  /** The files whose text its config puts into the prompt, read once and not before they matter. */
  texts(): Promise<ReadonlyMap<string, SectionText>>;
  /** What may not be used without trust, one human line each. */
  readonly needsTrust: readonly string[];
  /** Path relative to the root and SHA-256 of each file that trust covers; plugins' own code is not among them. */
  hashes(): Promise<readonly (readonly [path: string, hash: string])[]>;
}

/**
 * @param withConfig False when another config file is the only one that counts.
 * @returns Null when the project has no `.quire` folder of its own; the user's own folder is none.
 */
export async function readProject(root: string, quireHome: string, withConfig: boolean): Promise<Project | null> {
  const folder = join(root, ".quire");
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) return null;
  if ((await realpath(folder)) === (await realpath(quireHome).catch(() => quireHome))) return null;

  const configFile = join(folder, "config.yaml");
  const configBytes = withConfig ? await readConfigBytes(configFile) : null;
  const config = configBytes === null ? undefined : parseYamlFile(configBytes, configFile);
  const sections = await readSectionFiles(join(folder, "sections"));
  const sectionEdits = sections.map((file) => parseSectionFile(file, "project"));
  const plugins = await namesIn(join(folder, "plugins"));
  let texts: Promise<ReadonlyMap<string, SectionText>> | undefined;
  const readTexts = (): Promise<ReadonlyMap<string, SectionText>> => (texts ??= textsOf(config));
  return {
    folder,
    ...(config === undefined ? {} : { config }),
    sectionEdits,
    texts: readTexts,
    needsTrust: [
      ...(config === undefined ? [] : configNeeds(config, root)),
      ...sections.flatMap((file, index) => sectionNeeds(file, sectionEdits[index], root)),
      ...pluginNeeds(plugins),
    ],
    async hashes() {
      const read: readonly (readonly [string, SectionText])[] = [
        [configFile, configBytes],
        ...sections.map(({ file, bytes }) => [file, bytes] as const),
        ...(await readTexts()),
      ];
      const hashes = read.map(([file, bytes]) => [relative(root, file), hashOf(bytes)] as const);
      for (const path of await listTree(join(folder, "plugins"), { maxDepth: 32, followLinks: false })) {
        const file = join(folder, "plugins", path);
        hashes.push([relative(root, file), await hashOfFile(file)]);
      }
      return hashes;
    },
  };
}

/** The part of a project's config that counts without trust: texts added to sections. */
export function untrustedPart(config: YamlFile): YamlFile {
  const added = sectionEntries(config.value).filter(([, entry]) => onlyAddsText(entry));
  return {
    file: config.file,
    value: added.length === 0 ? {} : { sections: Object.fromEntries(added) },
    lineOf: (path) => config.lineOf(path),
  };
}

async function textsOf(config: YamlFile | undefined): Promise<ReadonlyMap<string, SectionText>> {
  const files = config === undefined ? [] : sectionTextFiles(config);
  return new Map(await Promise.all(files.map(async (file) => [file, await readSectionText(file)] as const)));
}

function hashOf(bytes: SectionText): string {
  return bytes === null || bytes instanceof Error ? "unreadable" : sha256(bytes);
}

/** Of a file of any size, in small memory. */
async function hashOfFile(file: string): Promise<string> {
  if ((await stat(file).catch(() => null))?.isFile() !== true) return "unreadable";
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  } catch {
    return "unreadable";
  }
  return hash.digest("hex");
}

function configNeeds(config: YamlFile, root: string): readonly string[] {
  const place = (path: readonly string[]): string => `${relative(root, config.file)}:${config.lineOf(path)}`;
  return Object.keys(config.value).flatMap((key) => {
    if (key !== "sections") return [`${place([key])} sets \`${key}\``];
    return sectionEntries(config.value)
      .filter(([, entry]) => !onlyAddsText(entry))
      .map(([section]) => `${place([key, section])} replaces or removes the section ${section}`);
  });
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
