import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Block, Config, Message, ProviderSpec } from "@quire/core";
import { onTestFinished } from "vitest";
import { PrivateFolders } from "./private-folders.js";
import { claudeCliProvider } from "./provider.js";
import type { ProgramSettings } from "./settings.js";

/** What a stand-in does, one after the other; see fixtures/stand-in.mjs. */
export type Step =
  | { readonly line: object }
  | { readonly text: string }
  | { readonly stderr: string }
  | { readonly waitMs: number }
  | { readonly child: true }
  | { readonly hang: true }
  | { readonly exit: number };

/** What a stand-in was given. */
export interface Given {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly folderMode: string;
  readonly promptFile: string;
  readonly promptMode: string;
  readonly prompt: string;
  readonly settings?: string;
  readonly mcp?: string;
  readonly input: string;
  readonly answers?: { readonly started: Config; readonly listed: Config; readonly called: Config };
}

export interface StandIn {
  readonly provider: ProviderSpec;
  readonly settings: ProgramSettings;
  readonly folders: PrivateFolders;
  given(): Promise<Given>;
  /** The process that outlives the program, if the steps start one. */
  childPid(): Promise<number>;
}

/** A provider whose program is a stand-in that plays the steps. */
export async function standIn(
  steps: readonly Step[],
  options: {
    readonly base?: ProviderSpec;
    readonly environment?: NodeJS.ProcessEnv;
    readonly passEnv?: readonly string[];
    readonly callTools?: boolean;
    readonly ignoreSignals?: boolean;
  } = {},
): Promise<StandIn> {
  const { base = plainBase, environment = process.env, passEnv = [], ...scenario } = options;
  const folder = await mkdtemp(join(tmpdir(), "quire-stand-in-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [scenarioFile, recordFile] = [join(folder, "scenario.json"), join(folder, "record.json")];
  await writeFile(scenarioFile, JSON.stringify({ ...scenario, steps }));
  const program = join(import.meta.dirname, "fixtures/stand-in.mjs");
  const settings: ProgramSettings = {
    name: "claude-cli",
    command: process.execPath,
    args: [program, scenarioFile, recordFile],
    passEnv,
    models: ["sonnet"],
    isConfigured: true,
  };
  const folders = new PrivateFolders();
  return {
    settings,
    folders,
    provider: claudeCliProvider(settings, { folders, base: () => base, environment: () => environment }),
    given: async () => JSON.parse(await readFile(recordFile, "utf8")) as Given,
    childPid: async () => Number(await readFile(`${recordFile}.child`, "utf8")),
  };
}

/** The lines of one streamed answer, as the program prints them. */
export function answerLines(
  blocks: readonly Config[],
  stop = "end_turn",
  usage: Config = { input_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 9 },
): Step[] {
  const events = [
    { type: "message_start", message: { role: "assistant", content: [], usage: { ...usage, output_tokens: 1 } } },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: usage["output_tokens"] } },
    { type: "message_stop" },
  ];
  return [{ line: { type: "system", subtype: "init", tools: [] } }, ...events.map(eventLine)];
}

/** One event of the vendor, as the program hands it on. */
export function eventLine(event: object): Step {
  return { line: { type: "stream_event", event, parent_tool_use_id: null } };
}

function emptied(block: Config): Config {
  if (block["type"] === "tool_use") return { ...block, input: {} };
  return block["type"] === "thinking" ? { type: "thinking", thinking: "" } : { type: "text", text: "" };
}

function deltas(block: Config): Config[] {
  const halves = (text: string): [string, string] => [text.slice(0, 5), text.slice(5)];
  if (block["type"] === "tool_use") {
    return halves(JSON.stringify(block["input"])).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  }
  if (block["type"] === "thinking") {
    return [
      { type: "thinking_delta", thinking: block["thinking"] },
      { type: "signature_delta", signature: block["signature"] },
    ];
  }
  return halves(String(block["text"])).map((text) => ({ type: "text_delta", text }));
}

/** Projects texts, calls and results to Anthropic Messages, and nothing more. */
export const plainBase: ProviderSpec = {
  name: "anthropic",
  api: "anthropic-messages",
  caps: () => ({
    contextTokens: 200_000,
    outputTokens: 64_000,
    images: true,
    contextRole: "user",
    cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
  }),
  project: ({ model, system, tools, messages, params }) => ({
    url: "https://api.anthropic.com/v1/messages",
    headers: {},
    body: {
      model: model.id,
      max_tokens: params["maxTokens"] ?? 64_000,
      system: system.text === "" ? [] : [{ type: "text", text: system.text, cache_control: { type: "ephemeral" } }],
      tools: tools.map(({ name, description, input }) => ({ name, description, input_schema: input })),
      messages: messages.map(plainMessage),
      stream: true,
    },
  }),
  stream: () => {
    throw new Error("the base only projects");
  },
};

function plainMessage({ role, content }: Message): Config {
  return { role: role === "assistant" ? role : "user", content: content.map(plainBlock) };
}

function plainBlock(block: Block): Config {
  if (block.type === "tool-call") return { type: "tool_use", id: block.id, name: block.name, input: block.args };
  if (block.type === "tool-result") {
    return { type: "tool_result", tool_use_id: block.id, content: block.content.map(plainBlock) };
  }
  return { ...block };
}
