import { relative } from "node:path";
import type { YamlFile } from "../config/yaml-file.js";
import {
  onlyAddsText,
  promptTextFiles,
  readSectionText,
  sectionEntries,
  type ReadBytes,
  type SectionText,
} from "../edits/config-edits.js";
import { hashOfBytes } from "./file-hash.js";
import type { TrustPart } from "./trust-part.js";

/** A config file that a project brings. */
export interface ConfigPart extends TrustPart {
  readonly config: YamlFile;
  /** Reads the files whose text it puts into the prompt: once, so that what is judged is what is used. */
  readonly read: ReadBytes;
}

/** @param hash SHA-256 of the file's bytes. */
export function configPart(config: YamlFile, hash: string, root: string, home: string): ConfigPart {
  let texts: Promise<ReadonlyMap<string, SectionText>> | undefined;
  const readTexts = () => (texts ??= textsOf(promptTextFiles(config, home)));
  return {
    config,
    needsTrust: configNeeds(config, root),
    read: async (file) => (await readTexts()).get(file) ?? null,
    async hashes() {
      const read = [...(await readTexts())].map(([file, text]) => [relative(root, file), hashOfBytes(text)] as const);
      return [[relative(root, config.file), hash], ...read];
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

async function textsOf(files: readonly string[]): Promise<ReadonlyMap<string, SectionText>> {
  return new Map(await Promise.all(files.map(async (file) => [file, await readSectionText(file)] as const)));
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
