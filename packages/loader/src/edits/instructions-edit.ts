import type { Origin } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import type { UsedConfig } from "../config/used-config.js";
import { withoutLastNewline } from "../markdown/section-file.js";
import { decodeText, instructionsFile } from "./config-edits.js";
import type { FlagTexts } from "./flag-text.js";

/**
 * The user's own text: the flag's, else that of the highest config file that has one. An empty one is none.
 * @param sources From low to high.
 * @throws {ConfigError} `config-file-invalid` for a file that cannot be read.
 */
export async function instructionsEdit(
  flag: string | undefined,
  texts: FlagTexts,
  sources: readonly UsedConfig[],
  home: string,
): Promise<readonly HostEdit[]> {
  const place = { op: "add", section: "user/instructions", slot: "instructions" } as const;
  if (flag !== undefined) {
    const { text, by } = await texts.textOrFile(flag, "--instructions");
    return text === "" ? [] : [{ layer: "flags", by, ...place, content: text }];
  }
  const source = sources.findLast(({ config }) => config.value["instructions"] !== undefined);
  if (source === undefined) return [];
  const { content, by } = await textOf(source, home);
  return content === "" ? [] : [{ layer: source.layer, by, ...place, content }];
}

async function textOf({ config, read }: UsedConfig, home: string): Promise<{ content: string; by: Origin }> {
  const file = instructionsFile(config, home);
  if (file === undefined) {
    const by = { kind: "config", file: config.file, line: config.lineOf(["instructions"]) } as const;
    return { content: withoutLastNewline(String(config.value["instructions"])), by };
  }
  const at = { kind: "config", file: config.file, line: config.lineOf(["instructions", "file"]) } as const;
  return { content: decodeText(await read(file), file, at), by: { kind: "file", file, line: 1 } };
}
