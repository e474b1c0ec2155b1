import type { HostEdit } from "@quire/core/host";
import type { YamlFile } from "../config/yaml-file.js";
import { withoutLastNewline } from "../markdown/section-file.js";
import { textOrFile } from "./flag-text.js";

/**
 * The user's own text: the flag's, else the trusted project's, else the user's config. An empty one is none.
 * @param files From low to high.
 */
export async function instructionsEdit(
  flag: string | undefined,
  typedAt: string,
  files: readonly { readonly layer: "user" | "project"; readonly config: YamlFile }[],
): Promise<readonly HostEdit[]> {
  const place = { op: "add", section: "user/instructions", slot: "instructions" } as const;
  if (flag !== undefined) {
    const { text, by } = await textOrFile(flag, typedAt, "--instructions");
    return text === "" ? [] : [{ layer: "flags", by, ...place, content: text }];
  }
  const source = files.findLast(({ config }) => typeof config.value["instructions"] === "string");
  if (source === undefined) return [];
  const { layer, config } = source;
  const content = withoutLastNewline(String(config.value["instructions"]));
  const by = { kind: "config", file: config.file, line: config.lineOf(["instructions"]) } as const;
  return content === "" ? [] : [{ layer, by, ...place, content }];
}
