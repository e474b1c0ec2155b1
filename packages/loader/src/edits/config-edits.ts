import { dirname, resolve } from "node:path";
import { ConfigError, type Config, type Origin } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import type { YamlFile } from "../config/yaml-file.js";
import { withoutLastNewline } from "../markdown/section-file.js";
import { isRecord } from "../record.js";

/** Reads a file that config names; null when there is none. */
export type ReadBytes = (file: string) => Promise<Uint8Array | null>;

/** The edits that `sections:` of a checked config file asks for, in the order of the file. */
export async function configEdits(
  config: YamlFile,
  layer: "user" | "project",
  read: ReadBytes,
): Promise<readonly HostEdit[]> {
  const edits: HostEdit[] = [];
  for (const [section, entry] of sectionEntries(config)) {
    const by = (key?: string): Origin => ({
      kind: "config",
      file: config.file,
      line: config.lineOf(["sections", section, ...(key === undefined ? [] : [key])]),
    });
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
        const file = resolve(dirname(config.file), String(entry["file"]));
        const content = decode(await read(file), file, by("file"));
        edits.push({ layer, by: { kind: "file", file, line: 1 }, op: "replace", section, content });
      }
    }
  }
  return edits;
}

/** The files that `sections:` takes text from, absolute. */
export function sectionTextFiles(config: YamlFile): readonly string[] {
  return sectionEntries(config).flatMap(([, entry]) =>
    isRecord(entry) && typeof entry["file"] === "string" ? [resolve(dirname(config.file), entry["file"])] : [],
  );
}

/** Whether an entry only adds text: that needs no trust. */
export function onlyAddsText(entry: unknown): boolean {
  return isRecord(entry) && Object.keys(entry).every((key) => key === "append" || key === "prepend");
}

export function sectionEntries(config: YamlFile): readonly (readonly [string, unknown])[] {
  const sections = config.value["sections"];
  return isRecord(sections) ? Object.entries(sections) : [];
}

function decode(bytes: Uint8Array | null, file: string, at: Origin): string {
  if (bytes === null) {
    throw new ConfigError({
      code: "config-file-missing",
      level: "error",
      message: `There is no file ${file}`,
      at,
      fix: "A relative path counts from the folder of the config file",
    });
  }
  try {
    return withoutLastNewline(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ConfigError({
      code: "config-file-invalid",
      level: "error",
      message: `${file} is not UTF-8 text`,
      at,
      fix: "Save it as UTF-8",
    });
  }
}
