import { dirname, resolve } from "node:path";
import { ConfigError, PluginError, type Config, type Origin } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import type { Preset } from "../config/preset.js";
import { expandHome } from "../place.js";
import type { YamlFile } from "../config/yaml-file.js";
import { diskFiles } from "../disk-files.js";
import { maxSectionFileBytes, withoutLastNewline } from "../markdown/section-file.js";
import { isRecord } from "../record.js";

/** Reads a file that config names; null when there is none. */
export type ReadBytes = (file: string) => Promise<SectionText>;
/** Null when there is no file, an error when it cannot be read. */
export type SectionText = Uint8Array | Error | null;

/** The edits that `sections:` of a checked config file asks for, in the order of the file. */
export function configEdits(
  config: YamlFile,
  layer: "preset" | "user" | "project",
  read: ReadBytes,
): Promise<readonly HostEdit[]> {
  const by = (path: readonly string[]): Origin => ({ kind: "config", file: config.file, line: config.lineOf(path) });
  return sectionEdits(config.value, layer, by, async (name, at) => {
    const file = resolve(dirname(config.file), name);
    return { content: decodeText(await read(file), file, at), by: { kind: "file", file, line: 1 } };
  });
}

/** The edits that a preset's config asks for; it carries its texts itself. */
export function presetEdits(preset: Preset | undefined): Promise<readonly HostEdit[]> {
  if (preset === undefined) return Promise.resolve([]);
  const by: Origin = { kind: "plugin", plugin: preset.plugin };
  return sectionEdits(
    preset.data.config,
    "preset",
    () => by,
    (name) => {
      throw new PluginError({
        code: "preset-invalid",
        level: "error",
        plugin: preset.plugin,
        message: `The preset of ${preset.plugin} takes a section's text from the file ${name}, and a preset carries its texts itself`,
      });
    },
  );
}

async function sectionEdits(
  config: Config,
  layer: HostEdit["layer"],
  origin: (path: readonly string[]) => Origin,
  fileText: (name: string, at: Origin) => Promise<{ readonly content: string; readonly by: Origin }>,
): Promise<readonly HostEdit[]> {
  const edits: HostEdit[] = [];
  for (const [section, entry] of sectionEntries(config)) {
    const by = (...key: readonly string[]): Origin => origin(["sections", section, ...key]);
    const text = (key: string): string => withoutLastNewline(String((entry as Config)[key]));
    if (entry === false) {
      edits.push({ layer, by: by(), op: "remove", section, why: "config removes it" });
    } else if (typeof entry === "string") {
      edits.push({ layer, by: by(), op: "replace", section, content: withoutLastNewline(entry) });
    } else if (isRecord(entry)) {
      if ("prepend" in entry)
        edits.push({ layer, by: by("prepend"), op: "prepend", section, content: text("prepend") });
      if ("append" in entry) edits.push({ layer, by: by("append"), op: "append", section, content: text("append") });
      if ("text" in entry) edits.push({ layer, by: by("text"), op: "replace", section, content: text("text") });
      if ("use" in entry) edits.push({ layer, by: by("use"), op: "pin", section, plugin: text("use") });
      if ("file" in entry) {
        edits.push({ layer, op: "replace", section, ...(await fileText(String(entry["file"]), by("file"))) });
      }
    }
  }
  return edits;
}

/** The files that config takes prompt text from, absolute. */
export function promptTextFiles(config: YamlFile, home: string): readonly string[] {
  const instructions = instructionsFile(config, home);
  return [
    ...sectionEntries(config.value).flatMap(([, entry]) =>
      isRecord(entry) && typeof entry["file"] === "string" ? [resolve(dirname(config.file), entry["file"])] : [],
    ),
    ...(instructions === undefined ? [] : [instructions]),
  ];
}

/** The file that `instructions:` names, absolute; undefined when it names none. */
export function instructionsFile(config: YamlFile, home: string): string | undefined {
  const { instructions } = config.value;
  return isRecord(instructions) && typeof instructions["file"] === "string"
    ? resolve(dirname(config.file), expandHome(instructions["file"], home))
    : undefined;
}

/** Whether an entry only adds text: that needs no trust. */
export function onlyAddsText(entry: unknown): boolean {
  return isRecord(entry) && Object.keys(entry).every((key) => key === "append" || key === "prepend");
}

/** The entries under `sections:`, whatever they hold. */
export function sectionEntries(config: Config): readonly (readonly [string, unknown])[] {
  const sections = config["sections"];
  return isRecord(sections) ? Object.entries(sections) : [];
}

/** Reads a file whose text config puts into the prompt. */
export function readSectionText(file: string): Promise<SectionText> {
  return diskFiles.read(file, maxSectionFileBytes + 1).catch((error: Error) => error);
}

/** @throws {ConfigError} `config-file-invalid` when there is no such file, or no readable one. */
export function decodeText(bytes: SectionText, file: string, at: Origin): string {
  if (bytes === null) {
    throw fileError(`There is no file ${file}`, at, "A relative path counts from the folder of the config file");
  }
  if (bytes instanceof Error) {
    throw fileError(`${file} cannot be read: ${bytes.message}`, at, "Make it a file that you may read");
  }
  if (bytes.length > maxSectionFileBytes) {
    throw fileError(`${file} is larger than ${maxSectionFileBytes} bytes`, at, "Shorten it");
  }
  try {
    return withoutLastNewline(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw fileError(`${file} is not UTF-8 text`, at, "Save it as UTF-8");
  }
}

function fileError(message: string, at: Origin, fix: string): ConfigError {
  return new ConfigError({ code: "config-file-invalid", level: "error", message, at, fix });
}
