import type { ProviderSpec } from "@quire/core";
import type { ModelServer } from "../model-server/start-model-server.js";
import { faultSuite } from "./fault-suite.js";
import { blocksOf, deltasOf, suiteBed } from "./suite-bed.js";
import { wireSuite } from "./wire-suite.js";

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
export function providerSuite(suite: ProviderSuite): void {
  answerSuite(suite);
  faultSuite(suite);
  wireSuite(suite);
}

/** What a provider makes of whole answers. */
function answerSuite({ name, test, expect, make }: ProviderSuite): void {
  const { withServer, attempt, answer } = suiteBed(make);

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

  test(`${name} keeps parallel calls apart whose increments come by turns`, async () => {
    const toolCalls = [
      { id: "a1", name: "read", args: { path: "one", deep: { list: [1, 2, 3] } } },
      { id: "a2", name: "ls", args: { path: "two" } },
      { id: "a3", name: "ls", args: {} },
    ];
    const events = await answer({ text: "Three.", toolCalls, chunk: 3, interleaved: true });
    expect(blocksOf(events)).toEqual([
      { type: "text", text: "Three." },
      ...toolCalls.map((call) => ({ type: "tool-call", ...call })),
    ]);
  });

  test(`${name} reads past comments and events that nobody knows yet`, async () => {
    const events = await answer({ text: "Still here.", chunk: 3, noise: true });
    expect(blocksOf(events)).toEqual([{ type: "text", text: "Still here." }]);
    expect(events.at(-1)).toEqual({ type: "end", stop: "end" });
  });

  test(`${name} puts together what arrives in pieces, also inside a character`, async () => {
    const text = "Grüße 🙂 日本語";
    const toolCalls = [{ id: "a1", name: "read", args: { path: "größe/日本" } }];
    const events = await answer({ text, toolCalls, chunk: 1, fragmented: true });
    expect(blocksOf(events)).toEqual([
      { type: "text", text },
      { type: "tool-call", ...toolCalls[0] },
    ]);
    expect(deltasOf(events, "text")).toBe(text);
  });
}
