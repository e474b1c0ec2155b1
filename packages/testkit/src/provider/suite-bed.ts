import type { ProviderSpec, StreamEvent } from "@quire/core";
import { startModelServer } from "../model-server/start-model-server.js";
import type { ModelServer } from "../model-server/start-model-server.js";
import type { RecordedRequest, Reply } from "../model-server/reply.js";
import { collectEvents, providerRequest } from "./provider-request.js";
import type { ProviderSuite } from "./provider-suite.js";

/** The key of every suite; no error and no wire may show it. */
export const suiteKey = "sk-suite-0123456789abcdef";

/** What the parts of the suite have in common. */
export interface SuiteBed {
  /** Runs the code on a server that answers with one reply, or with a function of each request. */
  withServer(
    reply: Reply | ((request: RecordedRequest) => Reply),
    run: (provider: ProviderSpec, server: ModelServer) => Promise<void>,
  ): Promise<void>;
  /** What a provider yielded until it ended or threw. */
  attempt(
    provider: ProviderSpec,
    request?: ReturnType<typeof providerRequest>,
    signal?: AbortSignal,
  ): Promise<{ readonly events: StreamEvent[]; readonly error: unknown }>;
  /** All events of one reply. */
  answer(reply: Reply): Promise<StreamEvent[]>;
}

export function suiteBed(make: ProviderSuite["make"]): SuiteBed {
  const withServer: SuiteBed["withServer"] = async (reply, run) => {
    const server = await startModelServer({ replies: typeof reply === "function" ? reply : [reply] });
    try {
      await run(make(server, suiteKey), server);
    } finally {
      await server.close();
    }
  };
  return {
    withServer,
    async attempt(provider, request = providerRequest(), signal = new AbortController().signal) {
      const events: StreamEvent[] = [];
      try {
        for await (const event of provider.stream(provider.project(request), signal)) events.push(event);
        return { events, error: undefined };
      } catch (error) {
        return { events, error };
      }
    },
    async answer(reply) {
      let events: StreamEvent[] = [];
      await withServer(reply, async (provider) => {
        const wire = provider.project(providerRequest());
        events = await collectEvents(provider.stream(wire, AbortSignal.timeout(20_000)));
      });
      return events;
    },
  };
}

export function blocksOf(events: readonly StreamEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === "block" ? [event.block] : []));
}

export function deltasOf(events: readonly StreamEvent[], type: "text" | "thinking" | "tool-args"): string {
  return events.map((event) => (event.type === type ? event.delta : "")).join("");
}
