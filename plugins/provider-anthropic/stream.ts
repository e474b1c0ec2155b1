import { ProviderError } from "@quire/core";
import type { Place, StreamEvent } from "@quire/core";
import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import type { Stream } from "@anthropic-ai/sdk/streaming";
import { anthropicClient } from "./client.js";
import { Inactivity } from "./network/inactivity.js";
import { lazyStream } from "./network/lazy-stream.js";
import type { AnthropicSettings } from "./settings.js";
import { readEvents } from "./read-events.js";
import { restoreNames } from "./wire/renamed-tools.js";
import type { NamedWire } from "./wire/renamed-tools.js";

/**
 * Sends one request and streams its answer. An abort closes the connection and throws the signal's reason.
 * @throws {ProviderError} When the vendor refuses, breaks off, sends what is no event, or is silent too long.
 */
export function streamMessages(
  wire: NamedWire,
  settings: AnthropicSettings,
  env: Place["env"],
  signal: AbortSignal,
): AsyncIterable<StreamEvent> {
  const inactivity = new Inactivity(settings.network);
  const either = AbortSignal.any([signal, inactivity.signal]);
  const body = wire.body as MessageCreateParamsStreaming;
  const endpoint = { ...settings, baseUrl: wire.url.replace(/\/v1\/messages$/, "") };
  let toFailure = (error: unknown): unknown => error;
  const open = async (): Promise<AsyncIterable<StreamEvent>> => {
    const { client, fail } = await anthropicClient(endpoint, env, {
      model: body.model,
      fetch: inactivity.fetch,
      hasLateRole: body.messages.some(({ role }) => role === "system"),
    });
    toFailure = fail;
    // Not `messages.create`: that one prints to the console when the vendor is about to retire a model.
    const events = await client.post<Stream<RawMessageStreamEvent>>("/v1/messages", {
      body,
      stream: true,
      signal: either,
      headers: wire.headers,
    });
    return restoreNames(readEvents(inactivity.watch(events, either), settings.name), wire.renamed);
  };
  return lazyStream(open, (error) => {
    if (signal.aborted) return signal.reason;
    if (!inactivity.signal.aborted) return toFailure(error);
    return new ProviderError({
      code: "provider-silent",
      level: "error",
      message: `${settings.name} sent nothing for ${inactivity.limitMs / 1000} s`,
      fix: "Check the network, or allow more time with network.first_byte_ms and network.silence_ms",
    });
  });
}
