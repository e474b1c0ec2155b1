import { readFile } from "node:fs/promises";
import { ConfigError, type Message } from "@quire/core";
import type { Session } from "@quire/core/host";
import type { Started } from "../start-host.js";
import type { CommandContext } from "./command-context.js";
import { findByApi } from "./wire-provider.js";
import { promptOf } from "./with-host.js";

/**
 * The body one provider API would get, of the session's own model where that speaks the API. With `--conversation` its
 * messages stand before whatever else the next turn sends.
 * @throws {ConfigError} `wire-unknown`, `conversation-invalid`, `conversation-unreadable`, `arguments-invalid`.
 */
export async function wireBody(started: Started, session: Session, context: CommandContext): Promise<unknown> {
  const { host } = started;
  const { wire: mode, conversation } = context.options;
  if (mode === undefined) throw misuse("--conversation is mapped to a wire mode, and --wire is missing", "Add --wire");
  const messages = conversation === undefined ? [] : await readConversation(conversation, context);
  const own = host.providers.find(({ name }) => name === session.model.provider);
  const provider = own?.api === mode ? own : findByApi(host.providers, mode);
  if (provider !== own) await session.setModel(provider.name);
  const { request } = await promptOf(started, session, context);
  return provider.project({ ...request, messages: [...messages, ...request.messages] }).body;
}

async function readConversation(file: string, { flags }: CommandContext): Promise<readonly Message[]> {
  if (flags.session.kind !== "new") {
    throw misuse("--conversation and a stored session each give a conversation", "Keep one of them");
  }
  const source = await readFile(file, "utf8").catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const found = {
      code: "conversation-unreadable",
      level: "error",
      message: `${file} cannot be read: ${why}`,
    } as const;
    throw new ConfigError({ ...found, at: { kind: "flag" }, fix: "Check the path that --conversation names" });
  });
  const { parseConversation } = await import("../prompt/parse-conversation.js");
  return parseConversation(source, file);
}

function misuse(message: string, fix: string): ConfigError {
  return new ConfigError({ code: "arguments-invalid", level: "error", message, fix });
}
