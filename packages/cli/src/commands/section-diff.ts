import { sha256, type HostEdit, type Prompt, type Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { describeOrigin } from "../output/describe-origin.js";
import { lineDiff } from "../output/line-diff.js";
import { frameAround, plainText, sectionText } from "../prompt/section-text.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { decidingEdit, editRecord, standingIn, standingWith } from "./section-override.js";

/** `agent sections diff NAME`: what the override of a section changed against the text it replaces. */
export async function diffSection(
  name: string,
  prompt: Prompt,
  { started, session, context }: { started: Started; session: Session; context: CommandContext },
): Promise<ExitCode> {
  const edit = decidingEdit(prompt, name);
  const now = standingIn(prompt, name, started);
  const after = now === undefined ? "" : plainText(now.section.content);
  if (edit === undefined) {
    printResult(context, { name, by: null, before: after, after, outdated: null }, `nothing replaces ${name}\n`);
    return 0;
  }
  const record = editRecord(started, edit);
  const edits = started.loaded.host.edits ?? [];
  const owner = started.host.sections.find((section) => section.name === name)?.owner ?? "";
  // A plugin's edit cannot be taken away alone, so there the text of the section's own plugin is meant.
  const pin: HostEdit = { layer: "session", by: { kind: "host" }, op: "pin", section: name, plugin: owner };
  const others = record === undefined ? [...edits, pin] : edits.filter((each) => each !== record);
  const below = await standingWith(others, name, started, session, context);
  const frame = frameAround(now?.rendered ?? "", after);
  const before =
    below === undefined ? "" : sectionText(below.section.content, below.rendered, frame, below.escape).text;
  const base = baseOf(record);
  const outdated =
    base === undefined ? null : base !== sha256(below === undefined ? "" : plainText(below.section.content));
  const by = describeOrigin(edit.by);
  const head = `${name}: ${edit.op}d by ${by} (${edit.layer})\n`;
  const note = outdated === true ? "the text it replaces has changed since it was ejected\n" : "";
  const text = `${head}${note}${lineDiff(before, after) || "both say the same\n"}`;
  printResult(context, { name, by, layer: edit.layer, op: edit.op, before, after, outdated }, text);
  return 0;
}

/** The hash of what a file replaced when it was ejected. */
function baseOf(record: (HostEdit & { readonly base?: unknown }) | undefined): string | undefined {
  return typeof record?.base === "string" ? record.base : undefined;
}
