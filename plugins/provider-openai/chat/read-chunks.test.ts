import { expect, test } from "vitest";
import { collectEvents } from "@quire/testkit";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { readChunks } from "./read-chunks.js";

/** Chunks as other servers send them, which the vendor's types do not all allow. */
async function* chunksOf(deltas: readonly object[], finish_reason: string): AsyncGenerator<ChatCompletionChunk> {
  for (const delta of [...deltas, {}]) {
    const choice = { index: 0, delta, finish_reason: delta === deltas.at(-1) ? null : undefined };
    yield { choices: [choice] } as unknown as ChatCompletionChunk;
  }
  yield { choices: [{ index: 0, delta: {}, finish_reason }] } as unknown as ChatCompletionChunk;
}

async function blocks(deltas: readonly object[], finish = "tool_calls"): Promise<unknown[]> {
  const events = await collectEvents(readChunks(chunksOf(deltas, finish), "local"));
  return events.flatMap((event) => (event.type === "block" ? [event.block] : []));
}

function part(rest: object, name?: string, args?: string): object {
  return { tool_calls: [{ ...rest, function: { ...(name === undefined ? {} : { name }), arguments: args } }] };
}

const two = [
  { type: "tool-call", name: "ls", args: {} },
  { type: "tool-call", name: "read", args: { path: "a" } },
];

test.for([
  {
    name: "one index for every call",
    deltas: [part({ index: 0, id: "a" }, "ls", "{}"), part({ index: 0, id: "b" }, "read", '{"path":"a"}')],
  },
  { name: "neither index nor id", deltas: [part({}, "ls", "{}"), part({}, "read", '{"path":'), part({}, "", '"a"}')] },
  {
    name: "the id in every part",
    deltas: [
      part({ index: 0, id: "a" }, "ls", "{}"),
      part({ index: 1, id: "b" }, "read", '{"path":'),
      part({ index: 1, id: "b" }, "read", '"a"}'),
    ],
  },
  {
    name: "parts in turns",
    deltas: [
      part({ index: 0, id: "a" }, "ls", ""),
      part({ index: 1, id: "b" }, "read", '{"pa'),
      part({ index: 0 }, undefined, "{}"),
      part({ index: 1 }, undefined, 'th":"a"}'),
    ],
  },
])("tells calls apart that come with $name", async ({ deltas }) => {
  expect(await blocks(deltas)).toMatchObject(two);
});

test("reads thinking under both of its names", async () => {
  expect(await blocks([{ reasoning: "a" }, { reasoning_content: "b" }, { content: "ok" }], "stop")).toEqual([
    { type: "thinking", text: "ab", provider: "local" },
    { type: "text", text: "ok" },
  ]);
});

test("says tools when calls came, and refusal when the model refused", async () => {
  const stopOf = async (deltas: readonly object[], finish: string) =>
    (await collectEvents(readChunks(chunksOf(deltas, finish), "local"))).at(-1);
  expect(await stopOf([part({ index: 0, id: "a" }, "ls", "{}")], "stop")).toEqual({ type: "end", stop: "tools" });
  expect(await stopOf([{ refusal: "I cannot." }], "stop")).toEqual({ type: "end", stop: "refusal" });
});

test("refuses chunks of the wrong shape", async () => {
  await expect(blocks([{ content: 3 }])).rejects.toThrow("number where a text belongs");
  await expect(blocks([part({ index: 0, id: "a" })])).rejects.toThrow("no name");
});
