import { ProviderError } from "@quire/core";
import type { Place, StreamEvent, WireRequest } from "@quire/core";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { openaiClient } from "./client.js";
import { Inactivity, inactivityLimitMs } from "./inactivity.js";
import { readChunks } from "./read-chunks.js";
import type { OpenaiSettings } from "./settings.js";

/**
 * Sends one request and streams its answer. An abort closes the connection and throws the signal's reason.
 * @throws {ProviderError} When the vendor refuses, breaks off, sends what is no chunk, or is silent too long.
 */
export async function* streamChat(
  wire: WireRequest,
  settings: OpenaiSettings,
  env: Place["env"],
  signal: AbortSignal,
  limitMs = inactivityLimitMs,
): AsyncGenerator<StreamEvent> {
  const inactivity = new Inactivity(limitMs);
  const either = AbortSignal.any([signal, inactivity.signal]);
  const body = wire.body as ChatCompletionCreateParamsStreaming;
  const endpoint = { ...settings, baseUrl: wire.url.replace(/\/chat\/completions$/, "") };
  const { client, fail } = await openaiClient(endpoint, env, { model: body.model, fetch: inactivity.fetch });
  try {
    const chunks = await client.chat.completions.create(body, {
      signal: either,
      headers: wire.headers,
    });
    yield* readChunks(inactivity.watch(chunks, either), settings.name);
  } catch (error) {
    signal.throwIfAborted();
    if (!inactivity.signal.aborted) throw fail(error);
    throw new ProviderError({
      code: "provider-silent",
      level: "error",
      message: `${settings.name} sent nothing for ${limitMs / 1000} s`,
      fix: "Check the network, then try again",
    });
  }
}
