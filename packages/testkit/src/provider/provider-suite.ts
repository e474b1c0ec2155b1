import type { ProviderSpec, StreamEvent } from "@quire/core";
import { ProviderError } from "@quire/core";
import { startModelServer } from "../model-server/start-model-server.js";
import type { ModelServer } from "../model-server/start-model-server.js";
import type { Fault, Reply } from "../model-server/reply.js";
import { freezeDeep } from "./freeze-deep.js";
import { collectEvents, providerRequest, toolResult, userMessage } from "./provider-request.js";

/** What the suite takes of vitest's `expect`. */
export type SuiteExpect = (value: unknown) => {
  toBe(wanted: unknown): void;
  toEqual(wanted: unknown): void;
  toMatchObject(wanted: object): void;
  toContain(wanted: string): void;
  readonly not: { toContain(wanted: string): void };
};

export interface ProviderSuite {
  /** Stands before each test's name. */
  readonly name: string;
  /** Vitest's `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
  /** Vitest's `expect`. */
  readonly expect: SuiteExpect;
  /** A fresh provider that speaks to the server with the given key. */
  readonly make: (server: ModelServer, key: string) => ProviderSpec;
}

/** The tests that every provider of an HTTP vendor passes: registers them with the given test runner. */
export function providerSuite({ name, test, expect, make }: ProviderSuite): void {
  const key = "sk-suite-0123456789abcdef";

  /** Runs the code on a server that answers with one reply. */
  async function withServer(
    reply: Reply,
    run: (provider: ProviderSpec, server: ModelServer) => Promise<void>,
  ): Promise<void> {
    const server = await startModelServer({ replies: [reply] });
    try {
      await run(make(server, key), server);
    } finally {
      await server.close();
    }
  }

  /** What a provider yielded until it ended or threw. */
  async function attempt(
    provider: ProviderSpec,
    request = providerRequest(),
    signal = new AbortController().signal,
  ): Promise<{ readonly events: StreamEvent[]; readonly error: unknown }> {
    const events: StreamEvent[] = [];
    try {
      for await (const event of provider.stream(provider.project(request), signal)) events.push(event);
      return { events, error: undefined };
    } catch (error) {
      return { events, error };
    }
  }

  function answer(reply: Reply): Promise<StreamEvent[]> {
    return new Promise((resolve, reject) => {
      withServer(reply, async (provider) => {
        resolve(await collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(20_000))));
      }).catch(reject);
    });
  }

  function blocksOf(events: readonly StreamEvent[]): unknown[] {
    return events.flatMap((event) => (event.type === "block" ? [event.block] : []));
  }

  function deltasOf(events: readonly StreamEvent[], type: "text" | "thinking" | "tool-args"): string {
    return events.map((event) => (event.type === type ? event.delta : "")).join("");
  }

  test(`${name} streams a text in increments, then as a block, then usage and end`, async () => {
    const text = "Grüße – a text of more than one increment 🙂.";
    const events = await answer({
      text,
      usage: { input: 7, cacheRead: 5, cacheWrite: 3, output: 9 },
      chunk: 4,
    });
    expect(events.filter(({ type }) => type === "text").length > 5).toBe(true);
    expect(deltasOf(events, "text")).toBe(text);
    expect(events.slice(-3)).toEqual([
      { type: "block", block: { type: "text", text } },
      { type: "usage", usage: { input: 7, cacheRead: 5, cacheWrite: 3, output: 9 } },
      { type: "end", stop: "end" },
    ]);
  });

  test(`${name} streams parallel tool calls`, async () => {
    const toolCalls = [
      { id: "a1", name: "read", args: { path: "päth", limit: 3 } },
      { id: "a2", name: "ls", args: {} },
    ];
    const events = await answer({ text: "Two.", toolCalls, chunk: 3 });
    expect(blocksOf(events)).toEqual([
      { type: "text", text: "Two." },
      ...toolCalls.map((call) => ({ type: "tool-call", ...call })),
    ]);
    expect(deltasOf(events, "tool-args")).toContain(JSON.stringify(toolCalls[0]?.args));
    expect(events.at(-1)).toEqual({ type: "end", stop: "tools" });
  });

  test(`${name} keeps the raw text of arguments that are no JSON object`, async () => {
    const toolCalls = [
      { id: "a1", name: "read", args: '{"path": "x' },
      { id: "a2", name: "ls", args: "[1]" },
    ];
    expect(blocksOf(await answer({ toolCalls }))).toEqual([
      { type: "tool-call", id: "a1", name: "read", args: { $invalid: '{"path": "x' } },
      { type: "tool-call", id: "a2", name: "ls", args: { $invalid: "[1]" } },
    ]);
  });

  test(`${name} streams thinking and says who may get it back`, async () => {
    await withServer({ thinking: "Let me think.", text: "Done." }, async (provider) => {
      const { events } = await attempt(provider);
      expect(deltasOf(events, "thinking")).toBe("Let me think.");
      expect(blocksOf(events)).toMatchObject([
        { type: "thinking", text: "Let me think.", provider: provider.name },
        { type: "text", text: "Done." },
      ]);
    });
  });

  test(`${name} says why the answer ended`, async () => {
    for (const stop of ["length", "refusal"] as const) {
      expect((await answer({ text: "Half", stop })).at(-1)).toEqual({ type: "end", stop });
    }
  });

  test(`${name} takes an answer without content`, async () => {
    const events = await answer({});
    expect(blocksOf(events)).toEqual([]);
    expect(events.at(-1)).toEqual({ type: "end", stop: "end" });
  });

  for (const [status, retryAfter, retryAfterMs] of [
    [429, 3, 3000],
    [529, undefined, undefined],
    [500, undefined, undefined],
    [400, undefined, undefined],
    [401, undefined, undefined],
  ] as const) {
    test(`${name} reports status ${status}, once`, async () => {
      const fault: Fault = { kind: "status", status, ...(retryAfter === undefined ? {} : { retryAfter }) };
      await withServer({ fault }, async (provider, server) => {
        const { events, error } = await attempt(provider);
        expect(events).toEqual([]);
        expect(error instanceof ProviderError).toBe(true);
        expect(error).toMatchObject({
          failure: { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
          diagnostic: { level: "error" },
        });
        expect(error instanceof ProviderError && (error.diagnostic.fix ?? "") !== "").toBe(true);
        expect(server.requests.length).toBe(1);
      });
    });
  }

  test(`${name} reads a date in retry-after`, async () => {
    const retryAfter = new Date(Date.now() + 60_000).toUTCString();
    await withServer({ fault: { kind: "status", status: 429, retryAfter } }, async (provider) => {
      const { error } = await attempt(provider);
      const waitMs = error instanceof ProviderError ? (error.failure.retryAfterMs ?? 0) : 0;
      expect(waitMs > 50_000 && waitMs <= 60_000).toBe(true);
    });
  });

  for (const fault of [
    { kind: "reset", afterEvents: 8 },
    { kind: "reset", afterEvents: 0 },
    { kind: "malformed", afterEvents: 8 },
    { kind: "empty" },
  ] as const) {
    const after = "afterEvents" in fault ? ` after ${fault.afterEvents} events` : "";
    test(`${name} fails without half a tool call: ${fault.kind}${after}`, async () => {
      const toolCalls = [{ id: "a1", name: "write", args: { path: "a.txt", content: "long ".repeat(20) } }];
      await withServer({ toolCalls, chunk: 8, fault }, async (provider) => {
        const { events, error } = await attempt(provider);
        expect(error instanceof ProviderError).toBe(true);
        expect(error instanceof ProviderError && error.failure.status === undefined).toBe(true);
        expect(blocksOf(events)).toEqual([]);
        expect(events.some(({ type }) => type === "end")).toBe(false);
      });
    });
  }

  test(`${name} closes the connection when a silent stream is aborted`, async () => {
    await withServer(
      { text: "hello", chunk: 2, fault: { kind: "stall", afterEvents: 5 } },
      async (provider, server) => {
        const controller = new AbortController();
        const wire = provider.project(providerRequest());
        let error: unknown;
        try {
          for await (const event of provider.stream(wire, controller.signal)) {
            if (event.type === "text") setTimeout(() => controller.abort(new Error("stopped by the user")), 20);
          }
        } catch (thrown) {
          error = thrown;
        }
        expect(error).toMatchObject({ message: "stopped by the user" });
        expect(await server.requests[0]?.ended).toBe("cut");
      },
    );
  });

  test(`${name} closes the connection when its consumer leaves`, async () => {
    await withServer(
      { text: "hello", chunk: 2, fault: { kind: "stall", afterEvents: 5 } },
      async (provider, server) => {
        const wire = provider.project(providerRequest());
        for await (const event of provider.stream(wire, new AbortController().signal)) {
          if (event.type === "text") break;
        }
        expect(await server.requests[0]?.ended).toBe("cut");
      },
    );
  });

  test(`${name} shows its key in no wire and no error`, async () => {
    const body = { error: { message: `wrong key: ${key}`, type: "authentication_error" } };
    await withServer({ fault: { kind: "status", status: 401, body } }, async (provider, server) => {
      expect(JSON.stringify(provider.project(providerRequest()))).not.toContain(key);
      const { error } = await attempt(provider);
      const shown = error instanceof Error ? [error.message, error.stack, JSON.stringify(error)].join(" ") : "";
      expect(shown).toContain("wrong key");
      expect(shown).not.toContain(key);
      expect(error instanceof Error && error.cause === undefined).toBe(true);
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(key);
    });
  });

  test(`${name} names the server that cannot be reached`, async () => {
    const server = await startModelServer({ replies: [] });
    const provider = make(server, key);
    await server.close();
    const { error } = await attempt(provider);
    expect(error instanceof ProviderError && error.failure.status === undefined).toBe(true);
    expect(error instanceof Error ? error.message : "").toContain(new URL(server.url).host);
  });

  test(`${name} projects equal requests to equal bodies and changes none`, async () => {
    await withServer({}, async (provider) => {
      const request = freezeDeep(conversation(provider.name));
      const first = JSON.stringify(provider.project(request));
      expect(JSON.stringify(provider.project(structuredClone(request)))).toBe(first);
    });
  });

  test(`${name} sends a conversation with broken-off calls in a form the vendor takes`, async () => {
    await withServer({ text: "ok" }, async (provider, server) => {
      const { error } = await attempt(provider, conversation(provider.name));
      expect(error).toBe(undefined);
      expect(server.requests[0]?.fault).toBe(undefined);
    });
  });
}

/** Two calls answered in the wrong order with a context message between, one never answered, and a picture. */
function conversation(provider: string): ReturnType<typeof providerRequest> {
  const call = (id: string) => ({ type: "tool-call", id, name: "read", args: { path: id } }) as const;
  const picture = { type: "image", mime: "image/png", base64: "iVBORw0KGgo=" } as const;
  return providerRequest({
    model: { provider, id: "test-model" },
    tools: [{ name: "read", description: "Reads.", input: { type: "object", properties: {} } }],
    messages: [
      userMessage("Read both.", "m1"),
      {
        id: "m2",
        role: "assistant",
        content: [
          { type: "thinking", text: "hm", provider: "another" },
          { type: "text", text: " " },
          call("c:1"),
          call("c:2"),
        ],
      },
      { id: "m3", role: "context", content: [{ type: "text", text: "The policy changed." }] },
      { id: "m4", role: "tool", content: [{ ...toolResult("c:2", "two"), content: [picture] }] },
      { id: "m5", role: "tool", content: [toolResult("c:1", "one")] },
      { id: "m6", role: "assistant", content: [call("c:1")] },
      userMessage("Go on.", "m7"),
    ],
    tail: "Two tasks are open.",
  });
}
