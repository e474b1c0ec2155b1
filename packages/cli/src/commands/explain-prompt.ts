import { ConfigError, QuireError, type Origin } from "@quire/core";
import type { Prompt, Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { count } from "../output/count.js";
import { describeOrigin } from "../output/describe-origin.js";
import { editLines } from "../output/edit-lines.js";
import { contentText } from "../prompt/content-text.js";
import { characterAt, explainStretch, findText, type Stretch } from "../prompt/explain.js";
import { plainEdits, type PromptDocument } from "../prompt/prompt-document.js";
import { sourceLine } from "../prompt/source-line.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { promptOf } from "./with-host.js";

/** The author of a stretch of the prompt. */
interface Part {
  /** UTF-8 bytes of the prompt; null for what does not stand in it. */
  readonly start: number | null;
  readonly end: number | null;
  readonly text: string;
  readonly section: string | null;
  readonly plugin: string | null;
  readonly version: string | null;
  /** Who wrote it, in a few words. */
  readonly by: string;
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  readonly truncated: boolean;
}

interface Explanation {
  /** `context`: told late; `tail`: last in every request; `tool`: a tool's own description. */
  readonly where: "prefix" | "context" | "tail" | "tool";
  /** How often the text stands there. The first place is explained. */
  readonly found: number;
  readonly parts: readonly Part[];
  readonly edits: PromptDocument["edits"];
}

/** `agent prompt --explain TEXT | --at OFFSET`: who wrote a place in the prompt, and who else wanted it. */
export async function explainPrompt(started: Started, session: Session, context: CommandContext): Promise<ExitCode> {
  const prompt = await promptOf(started, session, context);
  const { explain: wanted, at } = context.options;
  const explanation =
    at === undefined ? await explainText(wanted ?? "", prompt, started) : await explainByte(at, prompt, started);
  printResult(context, explanation, toText(explanation));
  return 0;
}

async function explainByte(offset: number, prompt: Prompt, started: Started): Promise<Explanation> {
  const stretch = characterAt(prompt.text, offset);
  if (stretch !== null) return await inPrefix(prompt, [stretch], started);
  throw new ConfigError({
    code: "offset-outside",
    level: "error",
    message: `The prompt has ${Buffer.byteLength(prompt.text)} bytes, so there is none at ${offset}`,
    fix: "Offsets count from 0, in UTF-8 bytes, as in `agent prompt --json`",
  });
}

async function explainText(wanted: string, prompt: Prompt, started: Started): Promise<Explanation> {
  const stretches = findText(prompt.text, wanted);
  if (stretches.length > 0) return await inPrefix(prompt, stretches, started);
  const outside = outsidePrefix(wanted, prompt, started);
  if (outside !== undefined) return outside;
  throw new QuireError({
    code: "text-not-found",
    level: "error",
    message: `${JSON.stringify(wanted)} stands nowhere in this prompt`,
    fix: "`agent prompt` prints all of it; `agent sections list` says what was left out",
  });
}

async function inPrefix(prompt: Prompt, stretches: readonly Stretch[], started: Started): Promise<Explanation> {
  const [first] = stretches;
  const pieces = first === undefined ? [] : explainStretch(prompt.pieces, first);
  const parts = await Promise.all(
    pieces.map(async ({ start, end, text, section, from, source, index, truncated }): Promise<Part> => {
      const line = await lineOf(from, source, index, started);
      return { start, end, text, ...authorOf(section, { ...from, ...line }, prompt, started), truncated };
    }),
  );
  return { where: "prefix", found: stretches.length, parts, edits: editsOf(parts, prompt) };
}

/** Late messages, the tail, and what tools say of themselves. */
function outsidePrefix(wanted: string, prompt: Prompt, started: Started): Explanation | undefined {
  const late = prompt.context.map(({ section, text }) => ({ where: "context", section, text }) as const);
  const tail = prompt.sections
    .filter(({ cache }) => cache !== "memoized" && cache.deliver === "tail")
    .map((section) => ({ where: "tail", section: section.name, text: contentText(section) }) as const);
  for (const { where, section = null, text } of [...late, ...tail]) {
    const found = findText(text, wanted).length;
    if (found === 0) continue;
    const from = prompt.sections.find(({ name }) => name === section)?.origin ?? { kind: "host" };
    const parts = [{ ...nowhere, text: wanted, ...authorOf(section, from, prompt, started) }];
    return { where, found, parts, edits: editsOf(parts, prompt) };
  }
  const tool = prompt.request.tools.find(({ description }) => findText(description, wanted).length > 0);
  if (tool === undefined) return undefined;
  const plugin = prompt.tools.find(({ name }) => name === tool.name)?.plugin ?? null;
  const by = `the description of the tool ${tool.name}`;
  const version = versionOf(plugin, started);
  const part = { ...nowhere, text: wanted, section: null, plugin, version, by, file: null, line: null };
  return { where: "tool", found: 1, parts: [part], edits: [] };
}

const nowhere = { start: null, end: null, truncated: false } as const;

/** The file's line, counted in the file as it is now. */
async function lineOf(from: Origin, source: string, index: number, started: Started): Promise<{ line?: number }> {
  if (from.file === undefined) return {};
  const bytes = await started.loaded.host.files.read(from.file, maxSourceBytes).catch(() => null);
  const line = sourceLine(from, source, index, bytes === null ? null : new TextDecoder().decode(bytes));
  return line === undefined ? {} : { line };
}

/** Prompt texts are smaller; of a larger file the beginning is enough to count in. */
const maxSourceBytes = 8_388_608;

function authorOf(section: string | null, from: Origin, prompt: Prompt, started: Started) {
  const owner = prompt.sections.find(({ name }) => name === section)?.owner;
  const plugin = from.plugin ?? owner ?? null;
  return {
    section,
    plugin,
    version: versionOf(plugin, started),
    by: describeOrigin(from),
    file: from.file ?? null,
    line: from.line ?? null,
  };
}

function versionOf(plugin: string | null, { host }: Started): string | null {
  return host.plugins.find(({ name }) => name === plugin)?.version ?? null;
}

function editsOf(parts: readonly Part[], prompt: Prompt): PromptDocument["edits"] {
  const sections = new Set(parts.map(({ section }) => section));
  return plainEdits(prompt.edits.filter(({ section }) => sections.has(section)));
}

const places = {
  prefix: "in the prompt",
  context: "in a message that is told late, with your words",
  tail: "at the end of every request",
  tool: "among the tools",
} as const;

function toText({ where, found, parts, edits }: Explanation): string {
  const times = found === 1 ? "" : `, ${count(found, "time")}; this is the first`;
  return [`${places[where]}${times}\n`, ...parts.map(partText), "\n", editLines(edits)].join("");
}

function partText(part: Part): string {
  const owner = part.plugin === null ? "" : ` (${part.plugin}${part.version === null ? "" : ` ${part.version}`})`;
  const place = part.start === null ? "" : `bytes ${part.start} to ${part.end}`;
  const lines = [
    ["section", part.section === null ? "none: it is the layout's" : `${part.section}${owner}`],
    ["written by", part.by],
    ["stands at", place],
    ["note", part.truncated ? "what it is taken from was cut" : ""],
  ].filter(([, value]) => value !== "");
  return `\n${excerpt(part.text)}\n${lines.map(([key = "", value = ""]) => `  ${key.padEnd(10)}  ${value}\n`).join("")}`;
}

/** One line, short enough to be read. */
function excerpt(text: string): string {
  const line = JSON.stringify(text);
  return line.length <= 100 ? line : `${line.slice(0, 60)} … ${line.slice(-35)}`;
}
