import type { Attrs } from "@quire/core";
import { join } from "node:path";
import type { ProgramBody } from "./body.js";
import { inertServerSource } from "./inert-server.js";
import { serverName, toolPrefix } from "./tool-names.js";

/** How the program is started for one request. */
export interface Launch {
  /** Behind the configured ones. */
  readonly args: readonly string[];
  /** Added to its environment. */
  readonly env: Attrs;
  /** Texts by name, in a folder that exists for this request alone. */
  readonly files: Attrs;
  /** All it reads. */
  readonly input: string;
}

/** Linux takes 128 KiB for one variable with its name. Source: execve(2), MAX_ARG_STRLEN. */
const maxVariableBytes = 120_000;

/** The program documents these: it asks once, sends the body as it is, and speaks to nobody but the model. */
const quiet: Attrs = {
  CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
  ENABLE_TOOL_SEARCH: "false",
};

/**
 * The program's arguments, variables and files for a body. The system text goes by `--system-prompt-file`. Tools and
 * messages travel in `CLAUDE_CODE_EXTRA_BODY`, which the program lays over its own body: so the conversation is ours,
 * block for block. What it reads on standard input only makes it ask.
 * @param folder Where the files will be.
 */
export function launchOf(body: ProgramBody, folder: string): Launch {
  const { system, tools, messages, thinking, output_config, stop_sequences } = body;
  const file = (name: string): string => join(folder, name);
  const extra = JSON.stringify({ tools, messages, ...(stop_sequences === undefined ? {} : { stop_sequences }) });
  const fits = Buffer.byteLength(extra) <= maxVariableBytes;
  const settings = { env: { CLAUDE_CODE_EXTRA_BODY: extra } };
  return {
    args: [
      ["--print", "--input-format", "stream-json"],
      ["--output-format", "stream-json", "--verbose", "--include-partial-messages"],
      ["--model", body.model, "--max-turns", "1", "--no-session-persistence"],
      ["--setting-sources", "", "--tools", "", "--strict-mcp-config"],
      tools.length === 0 ? [] : ["--mcp-config", file("mcp.json")],
      fits ? [] : ["--settings", file("settings.json")],
      output_config === undefined ? [] : ["--effort", output_config.effort],
      ["--system-prompt-file", file("system.txt")],
    ].flat(),
    env: {
      ...quiet,
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(body.max_tokens),
      ...thinkingVariable(thinking),
      ...(fits ? { CLAUDE_CODE_EXTRA_BODY: extra } : {}),
    },
    files: {
      // A blank text is refused by the vendor; an empty file is no system text at all.
      "system.txt": system.trim() === "" ? "" : system,
      ...(tools.length === 0 ? {} : serverFiles(tools, file)),
      ...(fits ? {} : { "settings.json": JSON.stringify(settings) }),
    },
    input: `${JSON.stringify({ type: "user", message: { role: "user", content: "(see the request's own messages)" } })}\n`,
  };
}

/** `adaptive` is the program's own way; without thinking it has to be told so. */
function thinkingVariable(thinking: ProgramBody["thinking"]): Attrs {
  if (thinking === undefined) return { MAX_THINKING_TOKENS: "0" };
  const { budget_tokens: budget } = thinking;
  return budget === undefined ? {} : { MAX_THINKING_TOKENS: String(budget) };
}

function serverFiles(tools: ProgramBody["tools"], file: (name: string) => string): Attrs {
  const listed = tools.map(({ name, description, input_schema }) => ({
    name: name.startsWith(toolPrefix) ? name.slice(toolPrefix.length) : name,
    description,
    inputSchema: input_schema,
  }));
  const server = { type: "stdio", command: process.execPath, args: [file("server.cjs"), file("tools.json")] };
  return {
    "server.cjs": inertServerSource,
    "tools.json": JSON.stringify(listed),
    "mcp.json": JSON.stringify({ mcpServers: { [serverName]: server } }),
  };
}
