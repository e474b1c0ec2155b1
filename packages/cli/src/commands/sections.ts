import { ConfigError } from "@quire/core";
import { nearest, type Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { editLines } from "../output/edit-lines.js";
import { table } from "../output/table.js";
import type { PromptDocument } from "../prompt/prompt-document.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { documentOf, openUnstored, promptOf, withHost } from "./with-host.js";

/** One section as `agent sections list` shows it. */
interface SectionRow {
  readonly name: string;
  readonly slot: string;
  readonly plugin: string;
  readonly cache: string | null;
  readonly bytes: number;
  /** Who wrote what stands there; null when nothing does. */
  readonly origin: string | null;
  readonly left_out: string | null;
}

/** `agent sections list | why NAME | eject NAME | diff NAME` */
export function sectionsCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    const session = await openUnstored(started, context);
    const [, verb] = context.path.split(" ");
    if (verb === "eject" || verb === "diff") return changeOf(verb, started, session, context);
    const document = await documentOf(started, session, context);
    const rows = sectionRows(started, document);
    if (context.path === "sections why") return why(context, rows, document);
    const lines = rows.map((row) => [row.name, row.slot, String(row.bytes), row.plugin, standing(row)]);
    const heading = ["section", "slot", "bytes", "owner", "written by"];
    printResult(context, { sections: rows }, table([heading, ...lines], { right: [2] }));
    return 0;
  });
}

/** What an override of one section is, or could be. */
async function changeOf(
  verb: "eject" | "diff",
  started: Started,
  session: Session,
  context: CommandContext,
): Promise<ExitCode> {
  const name = context.operands[0] ?? "";
  const prompt = await promptOf(started, session, context);
  const removed = prompt.leftOut.map(({ section }) => section);
  const names = [...started.host.sections.map((section) => section.name), ...removed];
  if (!names.includes(name)) throw unknownSection(name, names);
  if (verb === "diff") {
    const { diffSection } = await import("./section-diff.js");
    return diffSection(name, prompt, { started, session, context });
  }
  const { ejectSection } = await import("./section-eject.js");
  return ejectSection(name, prompt, { started, session, context });
}

/** Sections of the prompt in its order, then those that are not in it. */
function sectionRows({ host }: Started, document: PromptDocument): readonly SectionRow[] {
  const present = document.sections.map(({ name, slot, plugin, cache, bytes, origin }) => {
    return { name, slot, plugin, cache, bytes, origin, left_out: null };
  });
  const names = new Set(present.map(({ name }) => name));
  const absent = host.sections
    .filter(({ name }) => !names.has(name))
    .map(({ name, slot, owner }) => ({
      name,
      slot,
      plugin: owner,
      cache: null,
      bytes: 0,
      origin: null,
      left_out: document.left_out.find((entry) => entry.name === name)?.why ?? "disabled",
    }));
  return [...present, ...absent];
}

function standing(row: SectionRow): string {
  return row.origin ?? `(left out: ${row.left_out})`;
}

function why(context: CommandContext, rows: readonly SectionRow[], document: PromptDocument): ExitCode {
  const name = context.operands[0] ?? "";
  const edits = document.edits.filter(({ section }) => section === name);
  const row = rows.find((candidate) => candidate.name === name);
  if (row === undefined && edits.length === 0) {
    throw unknownSection(
      name,
      rows.map((each) => each.name),
    );
  }
  const entry = document.sections.find((section) => section.name === name);
  const head =
    row === undefined
      ? `${name}: no such section, so its edits do nothing\n`
      : `${name}: slot ${row.slot}, registered by ${row.plugin}, ${row.bytes} bytes, ${
          row.origin === null ? `left out (${row.left_out})` : `written by ${row.origin}`
        }\n`;
  const tag = entry?.reason == null ? "" : `volatile (${entry.deliver}): ${entry.reason}\n`;
  const text = `${head}${tag}${editLines(edits)}`;
  printResult(context, { name, section: row ?? null, edits }, text);
  return 0;
}

function unknownSection(name: string, names: readonly string[]): ConfigError {
  const near = nearest(name, names);
  return new ConfigError({
    code: "section-unknown",
    level: "error",
    message: `No section is called "${name}"`,
    fix: near === undefined ? "`agent sections list` shows all" : `Did you mean "${near}"?`,
  });
}
