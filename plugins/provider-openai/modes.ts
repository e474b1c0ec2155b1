import type { Caps, ProviderRequest, StreamEvent } from "@quire/core";
import type { OpenAI } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { isOwnModel } from "./caps.js";
import { projectChat } from "./chat/project.js";
import { readChunks } from "./chat/read-chunks.js";
import type { OpenaiApi } from "./options.js";
import { projectResponses } from "./responses/project.js";
import { readEvents } from "./responses/read-events.js";
import type { WireTools } from "./wire/wire-tools.js";

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps watch over what the SDK yields. */
export type Watch = <T>(items: AsyncIterable<T>) => AsyncIterable<T>;

export interface ProjectOptions {
  /** Whether the body goes to the vendor's own address. */
  readonly isVendor: boolean;
  /** Late system texts join the instructions, where there are any. */
  readonly isJoined: boolean;
  /** Else they go as the user's, whatever the model takes. */
  readonly isUserOnly: boolean;
}

/** What one wire mode does in its own way. */
export interface WireMode {
  /** Behind the base URL. */
  readonly path: string;
  /** The role in which a context message travels. */
  contextRole(model: string): Caps["contextRole"];
  /** Pure. */
  project(request: ProviderRequest, tools: WireTools, options: ProjectOptions): object;
  /** Whether a body holds a system text in mid-conversation. */
  hasLateRole(body: unknown): boolean;
  /** Sends the body; what it returns reads the answer. */
  stream(
    client: OpenAI,
    body: unknown,
    options: SendOptions,
    watch: Watch,
    provider: string,
  ): Promise<AsyncIterable<StreamEvent>>;
}

const chat: WireMode = {
  path: "/chat/completions",
  /**
   * The vendor's own models take role `system` anywhere, whoever serves them. Chat templates of other models often
   * refuse a system message that is not the first.
   */
  contextRole: (model) => (isOwnModel(model) ? "system" : "user"),
  project: (request, tools, options) => projectChat(request, tools, options),
  hasLateRole: (body) => rolesIn(body, "messages").slice(1).includes("system"),
  async stream(client, body, options, watch, provider) {
    const chunks = await client.chat.completions.create(body as ChatCompletionCreateParamsStreaming, options);
    return readChunks(watch(chunks), provider);
  },
};

const responses: WireMode = {
  path: "/responses",
  contextRole: () => "developer",
  project: (request, tools, options) => projectResponses(request, tools, { ...options, isCodex: false }),
  hasLateRole: (body) => rolesIn(body, "input").includes("developer"),
  async stream(client, body, options, watch, provider) {
    const events = await client.responses.create(body as ResponseCreateParamsStreaming, options);
    return readEvents(watch(events), provider);
  },
};

export const modes: Readonly<Record<OpenaiApi, WireMode>> = {
  "openai-chat": chat,
  "openai-responses": responses,
  "openai-codex": {
    ...responses,
    project: (request, tools, options) => projectResponses(request, tools, { ...options, isCodex: true }),
  },
};

function rolesIn(body: unknown, field: "messages" | "input"): readonly unknown[] {
  const items = (body as Readonly<Record<string, unknown>>)[field];
  return Array.isArray(items) ? items.map((item: { readonly role?: unknown }) => item.role) : [];
}
