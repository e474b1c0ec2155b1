import type { TurnEvent, TurnResult } from "@quire/core";
import { expect, test } from "vitest";
import { JsonWriter } from "./json-writer.js";
import { StreamJsonWriter } from "./stream-json-writer.js";
import { TextWriter } from "./text-writer.js";

const model = { provider: "p", id: "m" };
const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
const result: TurnResult = { text: "Done.", stop: "end", usage };
const about = {
  session: "s1",
  model: "p/m",
  diagnostics: [{ code: "x", level: "info" as const, message: "seen", cause: new Error("deep") }],
};
const events: readonly TurnEvent[] = [
  { type: "request", request: 1, model },
  { type: "text", delta: "Let me " },
  { type: "text", delta: "look." },
  { type: "tool-start", id: "1", name: "read", args: { path: "a b.md", limit: 3, deep: { x: 1 } } },
  {
    type: "message",
    message: {
      id: "t",
      role: "tool",
      content: [
        {
          type: "tool-result",
          id: "1",
          name: "read",
          isError: true,
          content: [{ type: "text", text: "no such file\nmore \u001b[31m" }],
        },
      ],
    },
  },
  { type: "request", request: 2, model },
  { type: "text", delta: "Done." },
];

function open(options: ConstructorParameters<typeof TextWriter>[2]) {
  const written = { out: "", err: "" };
  const writer = new TextWriter(
    (text) => (written.out += text),
    (text) => (written.err += text),
    options,
  );
  return { writer, written };
}

test("gives a program the last answer alone, and calls and what was said before them to standard error", () => {
  const { writer, written } = open({});
  writer.start();
  for (const event of events) writer.event(event);
  writer.end(result, about);
  expect(written.out).toBe("Done.\n");
  expect(written.err).toMatch(/^Let me look\.\n> read /);
});

test.for([
  { name: "a program, without the part that was cut", streams: false, out: "Whole.\n" },
  { name: "somebody who looks on, on a line of its own", streams: true, out: "Half an\nWhole.\n" },
])("shows an answer that was begun anew to $name", ({ streams, out }) => {
  const { writer, written } = open({ streams });
  writer.start();
  writer.event({ type: "text", delta: "Half an" });
  writer.event({ type: "diagnostic", diagnostic: { code: "provider-retry", level: "warn", message: "again" } });
  writer.event({ type: "text", delta: "Whole." });
  writer.end({ ...result, text: "Whole." }, about);
  expect(written.out).toBe(out);
});

test("shows somebody who looks on the newest line of a running command, once a second", () => {
  const { writer, written } = open({ streams: true });
  writer.start();
  for (const text of ["one\n", "one\ntwo\n"]) writer.event({ type: "tool-update", id: "1", text });
  expect(written.err).toBe("  … one\n");
  const program = open({});
  program.writer.event({ type: "tool-update", id: "1", text: "one" });
  expect(program.written.err).toBe("");
});

test("puts a note between two words of a streamed answer, not into one", () => {
  const { writer, written } = open({ streams: true });
  writer.start();
  writer.event({ type: "text", delta: "one tw" });
  writer.note("agent: queued: x");
  writer.event({ type: "text", delta: "o three" });
  writer.end(result, about);
  expect(written).toEqual({ out: "one two\nthree\n", err: "agent: queued: x\n" });
});

test("streams the answer to standard output and calls to standard error", () => {
  let out = "";
  let err = "";
  const writer = new TextWriter(
    (text) => (out += text),
    (text) => (err += text),
    { streams: true },
  );
  writer.start();
  for (const event of events) writer.event(event);
  writer.end(result);
  expect(out).toBe("Let me look.\nDone.\n");
  expect(err).toBe(`> read path="a b.md" limit=3 deep="{\\"x\\":1}"\n  failed: no such file (+1 line)\n`);
});

test("prints an answer that did not stream, and says why an answer is short", () => {
  let out = "";
  let err = "";
  const writer = new TextWriter(
    (text) => (out += text),
    (text) => (err += text),
  );
  writer.start();
  writer.end({ ...result, stop: "length" });
  expect(out).toBe("Done.\n");
  expect(err).toContain("output limit");
});

test("prints one JSON object at the end, diagnostics of every level in it", () => {
  let out = "";
  const writer = new JsonWriter((text) => (out += text));
  writer.end({ ...result, stop: "error", error: { code: "e", level: "error", message: "broke" } }, about);
  expect(out.endsWith("}\n")).toBe(true);
  expect(JSON.parse(out)).toEqual({
    text: "Done.",
    stop: "error",
    usage,
    cost: null,
    cache: null,
    session: "s1",
    model: "p/m",
    diagnostics: [{ code: "x", level: "info", message: "seen", text: "[x] seen." }],
    error: { code: "e", level: "error", message: "broke", text: "[e] broke." },
  });
});

test("prints what a turn cost: as fields in JSON, as a line where it is asked for", () => {
  const cache = { expected: 0, read: 0, missed: [] };
  const bill = { cost: { usd: 0.5, unpriced: [] }, cache };
  let out = "";
  new JsonWriter((text) => (out += text)).end(result, { ...about, bill });
  expect(JSON.parse(out)).toMatchObject({ cost: { usd: 0.5 }, cache });
  let said = "";
  const nothing = () => undefined;
  new TextWriter(nothing, (text) => (said += text), { bill: true }).end(result, { ...about, bill });
  expect(said).toMatch(/^[\d,]+ read, [\d,]+ written, [\d,]+ uncached, [\d,]+ out; \$0\.5000\n$/);
  let plain = "";
  new TextWriter(nothing, (text) => (plain += text)).end(result, { ...about, bill });
  expect(plain).toBe("");
});

test("prints every event between turn-start and turn-end, one object a line", () => {
  let out = "";
  const writer = new StreamJsonWriter((text) => (out += text));
  writer.start({ session: "s1", model: "p/m", prompt: "go" });
  for (const event of events) writer.event(event);
  writer.event({ type: "diagnostic", diagnostic: { code: "y", level: "warn", message: "odd" } });
  writer.event({ type: "diagnostic", diagnostic: { code: "provider-retry", level: "warn", message: "cut" } });
  writer.end(result, about);
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toHaveLength(events.length + 5);
  expect(lines[0]).toEqual({ type: "turn-start", session: "s1", model: "p/m", prompt: "go" });
  expect(lines.slice(1, -4)).toEqual(events);
  expect(lines.at(-2)).toEqual({ type: "restart" });
  expect(lines.at(-4)).toMatchObject({ type: "diagnostic", diagnostic: { text: "[y] odd." } });
  expect(lines.at(-1)).toMatchObject({ type: "turn-end", text: "Done.", stop: "end", usage, session: "s1" });
});

test("prints a refused start as JSON too", () => {
  let out = "";
  const refusal = { code: "config-invalid", level: "error" as const, message: "broken" };
  new JsonWriter((text) => (out += text)).refuse(refusal, [refusal]);
  expect(JSON.parse(out)).toMatchObject({ text: "", stop: "error", error: { code: "config-invalid" } });
});
