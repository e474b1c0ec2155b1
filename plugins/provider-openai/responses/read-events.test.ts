import { expect, test } from "vitest";
import { collectEvents } from "@quire/testkit";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { readEvents } from "./read-events.js";

/** Events as servers send them, which the vendor's types do not all allow. */
async function* eventsOf(events: readonly object[]): AsyncGenerator<ResponseStreamEvent> {
  for (const event of events) yield event as ResponseStreamEvent;
}

function read(...events: object[]) {
  return collectEvents(readEvents(eventsOf(events), "openai"));
}

function done(output_index: number, item: object): object {
  return { type: "response.output_item.done", output_index, item };
}

const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "ls", arguments: '{"a":1}' };
const completed = { type: "response.completed", response: { status: "completed", output: [] } };

function incomplete(reason: string): object {
  return { type: "response.incomplete", response: { status: "incomplete", incomplete_details: { reason } } };
}

test.for([
  { name: "length", last: incomplete("max_output_tokens"), stop: "length" },
  { name: "a content filter", last: incomplete("content_filter"), stop: "refusal" },
  { name: "nothing", last: completed, stop: "end" },
])("ends as $stop because of $name", async ({ last, stop }) => {
  expect((await read(last)).at(-1)).toEqual({ type: "end", stop });
});

test("says refusal when the model refused, in words", async () => {
  const item = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "refusal", refusal: "No." }] };
  const events = await read({ type: "response.refusal.delta", delta: "No." }, done(0, item), completed);
  expect(events).toEqual([
    { type: "text", delta: "No." },
    { type: "block", block: { type: "text", text: "No." } },
    { type: "end", stop: "refusal" },
  ]);
});

test("shows the parts of a summary as paragraphs, and keeps what can be given back", async () => {
  const delta = (text: string) => ({ type: "response.reasoning_summary_text.delta", delta: text });
  const part = (summary_index: number) => ({ type: "response.reasoning_summary_part.added", summary_index });
  const summary = [{ text: "First." }, { text: "Then." }];
  const item = { type: "reasoning", id: "rs_1", summary, encrypted_content: "c2Vj" };
  const events = await read(part(0), delta("First."), part(1), delta("Then."), done(0, item), completed);
  expect(events.slice(0, -1)).toEqual([
    { type: "thinking", delta: "First." },
    { type: "thinking", delta: "\n\n" },
    { type: "thinking", delta: "Then." },
    {
      type: "block",
      block: { type: "thinking", text: "First.\n\nThen.", provider: "openai", signature: "rs_1:c2Vj" },
    },
  ]);
  const open = { type: "reasoning", id: "rs_2", summary: [], content: [{ type: "reasoning_text", text: "raw" }] };
  expect((await read(done(0, open), completed))[0]).toMatchObject({ block: { text: "raw" } });
  expect(await read(done(0, { type: "reasoning", id: "rs_3", summary: [] }), completed)).toEqual([
    { type: "end", stop: "end" },
  ]);
});

test("takes items that a server gives at the end alone, or of a kind nobody knows", async () => {
  const last = { type: "response.completed", response: { status: "completed", output: [{ type: "new_call" }, call] } };
  expect(await read(last)).toEqual([
    { type: "block", block: { type: "tool-call", id: "c1", name: "ls", args: { a: 1 } } },
    { type: "end", stop: "tools" },
  ]);
});

test.for([
  {
    name: "an end inside an item",
    events: [{ type: "response.output_item.added", output_index: 0, item: call }, completed],
  },
  { name: "no end", events: [done(0, call)] },
  {
    name: "arguments of nobody",
    events: [{ type: "response.function_call_arguments.delta", output_index: 3, delta: "{" }],
  },
  { name: "a number where a text belongs", events: [{ type: "response.output_text.delta", delta: 3 }] },
  { name: "a call without a name", events: [done(0, { ...call, name: "" })] },
])("refuses $name", async ({ events }) => {
  await expect(read(...events)).rejects.toThrow(/ended|announced|text belongs|no name/);
});

test.for([
  { event: { type: "error", code: "rate_limit_exceeded", message: "slow" }, code: "rate_limit_exceeded" },
  {
    event: { type: "response.failed", response: { error: { code: "server_error", message: "slow" } } },
    code: "server_error",
  },
])("throws what the vendor says: $code", async ({ event, code }) => {
  await expect(read(event)).rejects.toMatchObject({ code, message: "slow" });
});
