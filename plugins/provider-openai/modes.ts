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

/** What one wire mode does in its own way. */
export interface WireMode {
  /** Behind the base URL. */
  readonly path: string;
  /** The role in which a context message travels. */
  contextRole(model: string): Caps["contextRole"];
  /** Pure. */
  project(
    request: ProviderRequest,
    tools: WireTools,
    options: { readonly isVendor: boolean; readonly isJoined: boolean },
  ): object;
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
  project: (request, tools, { isVendor }) => projectChat(request, tools, isVendor),
  async stream(client, body, options, watch, provider) {
    const chunks = await client.chat.completions.create(body as ChatCompletionCreateParamsStreaming, options);
    return readChunks(watch(chunks), provider);
  },
};

const responses: WireMode = {
  path: "/responses",
  contextRole: () => "developer",
  project: (request, tools, options) => projectResponses(request, tools, { ...options, isCodex: false }),
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
