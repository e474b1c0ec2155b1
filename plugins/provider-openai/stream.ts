import { ProviderError } from "@quire/core";
import type { Place, StreamEvent } from "@quire/core";
import { openaiClient } from "./client.js";
import { modes } from "./modes.js";
import { Inactivity } from "./network/inactivity.js";
import { lazyStream } from "./network/lazy-stream.js";
import type { OpenaiSettings } from "./settings.js";
import { restoreNames } from "./wire/renamed-tools.js";
import type { NamedWire } from "./wire/renamed-tools.js";

/**
 * Sends one request and streams its answer. An abort closes the connection and throws the signal's reason.
 * @throws {ProviderError} When the vendor refuses, breaks off, sends what is no event, or is silent too long.
 */
export function streamAnswer(
  wire: NamedWire,
  settings: OpenaiSettings,
  env: Place["env"],
  signal: AbortSignal,
): AsyncIterable<StreamEvent> {
  const mode = modes[settings.api];
  const inactivity = new Inactivity(settings.network);
  const either = AbortSignal.any([signal, inactivity.signal]);
  const body = wire.body as { readonly model: string };
  const endpoint = { ...settings, baseUrl: wire.url.slice(0, -mode.path.length) };
  let toFailure = (error: unknown): unknown => error;
  const open = async (): Promise<AsyncIterable<StreamEvent>> => {
    const { client, fail } = await openaiClient(endpoint, env, {
      model: body.model,
      fetch: inactivity.fetch,
      hasLateRole: mode.hasLateRole(wire.body),
    });
    toFailure = fail;
    const events = await mode.stream(
      client,
      body,
      { signal: either, headers: wire.headers },
      (items) => inactivity.watch(items, either),
      settings.name,
    );
    return restoreNames(events, wire.renamed);
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
