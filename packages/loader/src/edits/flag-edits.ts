import type { HostEdit } from "@quire/core/host";
import type { LoadFlags } from "../contract.js";
import type { FlagTexts } from "./flag-text.js";

const layer = "flags";

/**
 * The edits that the command line asks for, in the order in which the last one of a section wins.
 * @throws {ConfigError} `flag-invalid` for a file that cannot be read.
 */
export async function flagEdits(flags: LoadFlags, texts: FlagTexts): Promise<readonly HostEdit[]> {
  const edits: HostEdit[] = [];
  if (flags.systemPrompt !== undefined) {
    const { text, by } = await texts.textOrFile(flags.systemPrompt, "--system-prompt");
    edits.push({ layer, by, op: "replace-group", section: "base", content: text });
  }
  for (const { name, value } of flags.sections) {
    const { text, by } = await texts.textOrAtFile(value, `--section ${name}`);
    edits.push({ layer, by, op: "replace", section: name, content: text });
  }
  for (const section of flags.noSections) {
    edits.push({ layer, by: { kind: "flag" }, op: "remove", section, why: "--no-section" });
  }
  const appended = await Promise.all(
    flags.appendSystemPrompts.map((value) => texts.textOrFile(value, "--append-system-prompt")),
  );
  const filled = appended.filter(({ text }) => text !== "");
  if (filled[0] !== undefined) {
    const by = filled.length === 1 ? filled[0].by : ({ kind: "flag" } as const);
    const content = filled.map(({ text }) => text).join("\n\n");
    edits.push({ layer, by, op: "add", section: "user/append", slot: "end", content });
  }
  return edits;
}
