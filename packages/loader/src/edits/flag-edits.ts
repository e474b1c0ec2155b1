import type { HostEdit } from "@quire/core/host";
import type { LoadFlags } from "../contract.js";
import { textOrAtFile, textOrFile } from "./flag-text.js";

const layer = "flags";

/**
 * The edits that the command line asks for, in the order in which the last one of a section wins.
 * @throws {ConfigError} `flag-invalid` for a file that cannot be read.
 */
export async function flagEdits(flags: LoadFlags, typedAt: string): Promise<readonly HostEdit[]> {
  const edits: HostEdit[] = [];
  if (flags.systemPrompt !== undefined) {
    const { text, by } = await textOrFile(flags.systemPrompt, typedAt, "--system-prompt");
    edits.push({ layer, by, op: "replace-group", section: "base", content: text });
  }
  for (const { name, value } of flags.sections) {
    const { text, by } = await textOrAtFile(value, typedAt, `--section ${name}`);
    edits.push({ layer, by, op: "replace", section: name, content: text });
  }
  for (const section of flags.noSections) {
    edits.push({ layer, by: { kind: "flag" }, op: "remove", section, why: "--no-section" });
  }
  const appended = await Promise.all(
    flags.appendSystemPrompts.map((value) => textOrFile(value, typedAt, "--append-system-prompt")),
  );
  const texts = appended.filter(({ text }) => text !== "");
  if (texts[0] !== undefined) {
    const by = texts.length === 1 ? texts[0].by : ({ kind: "flag" } as const);
    const content = texts.map(({ text }) => text).join("\n\n");
    edits.push({ layer, by, op: "add", section: "user/append", slot: "end", content });
  }
  return edits;
}
