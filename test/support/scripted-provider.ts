import type {
  Block,
  Config,
  MaybePromise,
  ProviderRequest,
  ProviderSpec,
  StreamEvent,
  ToolCall,
  Usage,
} from "@quire/core";

/** An event, a fault to throw, or a function that may wait and give an event. */
export type Step = StreamEvent | Error | ((signal: AbortSignal) => MaybePromise<StreamEvent | void>);
export type Reply = readonly Step[];

/** A provider in this process that answers by a script, and with "ok" when the script is over. */
export interface ScriptedProvider extends ProviderSpec {
  /** Every request it got, in order. */
  readonly requests: readonly ProviderRequest[];
}

export const someUsage: Usage = { input: 10, cacheRead: 3, cacheWrite: 2, output: 5 };

/** @param replies One per request, repeated attempts included. */
export function createScriptedProvider(replies: readonly Reply[] = [], name = "scripted"): ScriptedProvider {
  const requests: ProviderRequest[] = [];
  return {
    name,
    api: "scripted",
    defaultModel: "one",
    requests,
    available: () => true,
    caps: () => ({
      contextTokens: 100_000,
      outputTokens: 1_000,
      images: false,
      contextRole: "user",
      cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
    }),
    project: (request) => ({ url: "http://localhost/", headers: {}, body: request }),
    async *stream(wire, signal) {
      const reply = replies[requests.length] ?? says("ok");
      requests.push(wire.body as ProviderRequest);
      for (const step of reply) {
        if (step instanceof Error) throw step;
        const event = typeof step === "function" ? await step(signal) : step;
        if (event !== undefined) yield event;
      }
    },
  };
}

/** An answer of text that arrives in the given pieces. */
export function says(...deltas: readonly string[]): Reply {
  return [
    ...deltas.map((delta): StreamEvent => ({ type: "text", delta })),
    { type: "block", block: { type: "text", text: deltas.join("") } },
    { type: "usage", usage: someUsage },
    { type: "end", stop: "end" },
  ];
}

/** An answer that calls tools; ids are `c1`, `c2`, … */
export function calls(...wanted: readonly (readonly [name: string, args?: Config])[]): Reply {
  return [
    ...wanted.map(([name, args = {}], index): StreamEvent => ({
      type: "block",
      block: call(`c${index + 1}`, name, args),
    })),
    { type: "usage", usage: someUsage },
    { type: "end", stop: "tools" },
  ];
}

export function call(id: string, name: string, args: Config = {}): ToolCall {
  return { type: "tool-call", id, name, args };
}

export function textBlock(text: string): Block {
  return { type: "text", text };
}

/** Waits until it is stopped, and then fails as a provider's connection does. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Never settles and hears no signal. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
