import { ProviderError } from "@quire/core";
import { startModelServer } from "../model-server/start-model-server.js";
import type { Fault } from "../model-server/reply.js";
import { providerRequest } from "./provider-request.js";
import type { ProviderSuite } from "./provider-suite.js";
import { blocksOf, suiteBed, suiteKey } from "./suite-bed.js";

/** What a provider makes of refusals, broken streams and impatient users. */
export function faultSuite({ name, test, expect, make }: ProviderSuite): void {
  const { withServer, attempt } = suiteBed(make);

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
    const body = { error: { message: `wrong key: ${suiteKey}`, type: "authentication_error" } };
    await withServer({ fault: { kind: "status", status: 401, body } }, async (provider, server) => {
      expect(JSON.stringify(provider.project(providerRequest()))).not.toContain(suiteKey);
      const { error } = await attempt(provider);
      const shown = error instanceof Error ? [error.message, error.stack, JSON.stringify(error)].join(" ") : "";
      expect(shown).toContain("wrong key");
      expect(shown).not.toContain(suiteKey);
      expect(error instanceof Error && error.cause === undefined).toBe(true);
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(suiteKey);
    });
  });

  test(`${name} names the server that cannot be reached`, async () => {
    const server = await startModelServer({ replies: [] });
    const provider = make(server, suiteKey);
    await server.close();
    const { error } = await attempt(provider);
    expect(error instanceof ProviderError && error.failure.status === undefined).toBe(true);
    expect(error instanceof Error ? error.message : "").toContain(new URL(server.url).host);
  });

  for (const status of [429, 529, 500]) {
    test(`${name} reports an answer that fails after it began: ${status}`, async () => {
      const fault: Fault = { kind: "error", afterEvents: 8, status };
      await withServer({ text: "Half of the answer, then nothing more.", chunk: 3, fault }, async (provider) => {
        const { events, error } = await attempt(provider);
        expect(error instanceof ProviderError).toBe(true);
        const seen = error instanceof ProviderError ? (error.failure.status ?? 0) : 0;
        // Not every vendor has a word for 529 there.
        expect(status === 429 ? seen === 429 : seen >= 500).toBe(true);
        expect(error instanceof Error ? error.message : "").toContain("in the middle of an answer");
        expect(events.some(({ type }) => type === "end")).toBe(false);
      });
    });
  }

  test(`${name} never takes a part for the whole, wherever the stream is cut`, async () => {
    const toolCalls = [
      { id: "a1", name: "read", args: { path: "a.txt" } },
      { id: "a2", name: "write", args: { path: "b.txt", content: "long ".repeat(5) } },
    ];
    const whole = [{ type: "text", text: "Two calls." }, ...toolCalls.map((call) => ({ type: "tool-call", ...call }))];
    const texts = whole.map((block) => JSON.stringify(block));
    for (let afterEvents = 0; afterEvents < 24; afterEvents += 1) {
      const fault: Fault = { kind: "reset", afterEvents };
      await withServer({ text: "Two calls.", toolCalls, chunk: 5, interleaved: true, fault }, async (provider) => {
        const { events, error } = await attempt(provider);
        const isWhole = events.some(({ type }) => type === "end");
        // A vendor's last event may say nothing that matters; an end without all blocks would be a lie.
        expect(error === undefined).toBe(isWhole);
        if (isWhole) expect(blocksOf(events)).toEqual(whole);
        for (const block of blocksOf(events)) expect(texts).toContain(JSON.stringify(block));
      });
    }
  });

  test(`${name} can be stopped before the first event`, async () => {
    await withServer({ text: "never", fault: { kind: "stall", afterEvents: 0 } }, async (provider, server) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("stopped by the user")), 60);
      const { events, error } = await attempt(provider, providerRequest(), controller.signal);
      expect(events).toEqual([]);
      expect(error).toMatchObject({ message: "stopped by the user" });
      expect(await server.requests[0]?.ended).toBe("cut");
    });
  });

  test(`${name} sends nothing when it was stopped before`, async () => {
    await withServer({ text: "never" }, async (provider) => {
      const { events, error } = await attempt(provider, providerRequest(), AbortSignal.abort(new Error("too late")));
      expect(events).toEqual([]);
      expect(error).toMatchObject({ message: "too late" });
    });
  });
}
