import { expect, test } from "vitest";
import { collectEvents, freezeDeep, providerRequest, userMessage } from "@quire/testkit";
import type { Block, Message, ProviderRequest, ToolCall } from "@quire/core";
import { rehearsalProvider } from "./provider.js";
import { nextStep } from "./script.js";

const tools = ["ls", "read", "grep"].map((name) => ({ name, description: name, input: { type: "object" } }));

function request(messages: readonly Message[], parts: Partial<ProviderRequest> = {}): ProviderRequest {
  return freezeDeep(providerRequest({ messages, tools, ...parts }));
}

/** Plays a turn to its end with tools that answer from a table by their first argument. */
async function playTurn(
  question: string,
  answers: Readonly<Record<string, string | Error>>,
  parts: Partial<ProviderRequest> = {},
): Promise<{ readonly calls: readonly ToolCall[]; readonly text: string; readonly texts: readonly string[] }> {
  const messages: Message[] = [userMessage(question)];
  const calls: ToolCall[] = [];
  const texts: string[] = [];
  for (let index = 0; index < 5; index++) {
    const wire = rehearsalProvider.project(request([...messages], parts));
    const events = await collectEvents(rehearsalProvider.stream(wire, AbortSignal.timeout(9000)));
    const blocks = events.flatMap((event) => (event.type === "block" ? [event.block] : []));
    messages.push({ id: `a${index}`, role: "assistant", content: blocks });
    texts.push(blocks.map((block) => (block.type === "text" ? block.text : "")).join(""));
    const made = blocks.filter((block) => block.type === "tool-call");
    if (made.length === 0) return { calls, text: texts.at(-1) ?? "", texts };
    calls.push(...made);
    messages.push({ id: `t${index}`, role: "tool", content: made.map((call) => answerOf(call, answers)) });
  }
  throw new Error("the script does not end");
}

function answerOf(call: ToolCall, answers: Readonly<Record<string, string | Error>>): Block {
  const said = answers[String(call.args["path"] ?? call.args["pattern"])] ?? new Error("not in the table");
  const text = typeof said === "string" ? said : said.message;
  const content = [{ type: "text", text } as const];
  return { type: "tool-result", id: call.id, name: call.name, isError: typeof said !== "string", content };
}

const project = {
  ".": "README.md (90 bytes)\npackage.json (70 bytes)\nsrc/\nlink -> src",
  "README.md":
    "1 | # Parcel\n2 | \n3 | ![badge](x)\n4 | \n5 | Parcel counts\n6 | parcels.\n[Lines 1 to 6 of 90; read on with offset 7]",
  "package.json": '1 | {\n2 |   "name": "parcel",\n3 |   "scripts": { "test": "node --test" }\n4 | }',
  parcelCount: "src/a.ts:3: export function parcelCount",
};

test("tours the folder, then the files it found and a word of the question, then answers", async () => {
  const { calls, text } = await playTurn("Where is parcelCount defined?", project);
  expect(calls.map(({ name, args }) => [name, args])).toEqual([
    ["ls", { path: "." }],
    ["read", { path: "README.md", limit: 40 }],
    ["read", { path: "package.json", limit: 200 }],
    ["grep", { pattern: "parcelCount" }],
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
  expect(text).toContain("4 entries: README.md, package.json, src/, link.");
  expect(text).toContain("“Parcel”. Parcel counts parcels.");
  expect(text).toContain("the package parcel with the scripts `test` (node --test).");
  expect(text).toContain("found 1 line, the first: src/a.ts:3: export function parcelCount");
});

test("says in every answer that no model was asked, and how to connect one", async () => {
  const { texts, text } = await playTurn("What does this project do?", project);
  expect(texts).toHaveLength(3);
  for (const each of texts) expect(each).toMatch(/no model (is connected|was asked)/i);
  expect(text).toMatch(/ANTHROPIC_API_KEY.*OPENAI_API_KEY/);
  expect(text).toContain("providers:");
});

test("shows what would have been sent: sizes, blocks by their first line, tools, words", async () => {
  const text = "You are Quire.\n\nBe kind.\n\n# Rules\n\nMore.\n\n<tools>\n- a\n\n# no heading\n</tools>\n\nLast: ä";
  const regions = [{ kind: "global", start: 0, end: 20, hash: "x" }] as const;
  const answer = (await playTurn("hi `there`", project, { system: { text, regions } })).text;
  expect(answer).toContain(`System text: ${Buffer.byteLength(text)} bytes, about `);
  expect(answer).toContain("cacheable regions in bytes: global 20");
  expect(answer.match(/ {2}- `.*/g)).toEqual([
    "  - `You are Quire.` (24 bytes)",
    "  - `# Rules` (14 bytes)",
    "  - `<tools>` (34 bytes)",
    "  - `Last: ä` (8 bytes)",
  ]);
  expect(answer).toContain("Tools (3): ls, read, grep;");
  expect(answer).toContain("Your words: `` hi `there` ``");
});

test("calls only what is declared", async () => {
  const bare = await playTurn("Where is parcelCount?", project, { tools: [] });
  expect(bare.calls).toEqual([]);
  expect(bare.text).toContain("There was no tour");
  const listing = await playTurn("Where is parcelCount?", project, { tools: tools.slice(0, 1) });
  expect(listing.calls.map(({ name }) => name)).toEqual(["ls"]);
});

test("tells of a refused tool and goes on without it", async () => {
  const refused = new Error("The user does not allow it.");
  const first = await playTurn("What is this?", { ".": refused });
  expect(first.calls).toHaveLength(1);
  expect(first.text).toContain("`ls .` was refused or failed: The user does not allow it.");
  const later = await playTurn("What is this?", { ...project, "README.md": refused });
  expect(later.text).toContain("`read README.md` was refused or failed");
  expect(later.text).toContain("the package parcel");
});

test("says so when the word stands nowhere", async () => {
  const { text } = await playTurn("Where is parcelCount?", { ...project, parcelCount: "(no line matches)" });
  expect(text).toContain("`grep parcelCount`: (no line matches)");
});

test("tours again for the next words, under fresh ids", async () => {
  const done: Message[] = [
    userMessage("one"),
    {
      id: "a",
      role: "assistant",
      content: [{ type: "tool-call", id: "rehearsal-1", name: "ls", args: { path: "." } }],
    },
    userMessage("two"),
  ];
  expect(nextStep(request(done)).calls).toMatchObject([{ id: "rehearsal-2", name: "ls" }]);
});

test("stops when it is aborted, and answers alike each time", async () => {
  const wire = rehearsalProvider.project(request([userMessage("hi")]));
  const stopped = AbortSignal.abort(new Error("stop"));
  await expect(collectEvents(rehearsalProvider.stream(wire, stopped))).rejects.toThrow("stop");
  const once = async () => await collectEvents(rehearsalProvider.stream(wire, AbortSignal.timeout(9000)));
  const events = await once();
  expect(await once()).toEqual(events);
  expect(events.map(({ type }) => type).slice(-4)).toEqual(["tool-args", "block", "usage", "end"]);
  expect(events.at(-1)).toEqual({ type: "end", stop: "tools" });
});
