import { expect, test } from "vitest";
import { toolResult, userMessage } from "@quire/testkit";
import type { Block, Message } from "@quire/core";
import { conversationSteps } from "./conversation-steps.js";

const idRule = { forbidden: /[^a-z0-9_]/g, maxLength: 20 };

function steps(messages: readonly Message[], hasTools = true) {
  return conversationSteps(messages, { idRule, hasTools });
}

function message(role: Message["role"], ...content: Block[]): Message {
  return { id: role, role, content };
}

function call(id: string, path = id): Block {
  return { type: "tool-call", id, name: "read", args: { path } };
}

/** Ids and texts of the results, in order. */
function answers(messages: readonly Message[]): unknown[] {
  return steps(messages).flatMap((step) =>
    step.kind === "results"
      ? [
          step.results.map(({ id, result }) => [
            id,
            result?.content[0]?.type === "text" ? result.content[0].text : null,
          ]),
        ]
      : [],
  );
}

test("puts results behind their calls, in the calls' order, wherever they stood", () => {
  const messages = [
    message("assistant", call("a"), call("b")),
    userMessage("wait"),
    message("tool", toolResult("b", "two")),
    message("assistant", call("c")),
    message("tool", toolResult("a", "one"), toolResult("c", "three")),
  ];
  expect(answers(messages)).toEqual([
    [
      ["a", "one"],
      ["b", "two"],
    ],
    [["c", "three"]],
  ]);
  expect(steps(messages).map(({ kind }) => kind)).toEqual([
    "assistant",
    "results",
    "user",
    "user",
    "assistant",
    "results",
    "user",
  ]);
});

test("leaves a call without a result open, after an abort for example", () => {
  expect(answers([message("assistant", call("a"), call("b")), message("tool", toolResult("b", "two"))])).toEqual([
    [
      ["a", null],
      ["b", "two"],
    ],
  ]);
});

test("gives calls of one id their own results", () => {
  const once = [message("assistant", call("a", "x")), message("tool", toolResult("a", "one"))];
  const again = [message("assistant", call("a", "y")), message("tool", toolResult("a", "two"))];
  expect(answers([...once, ...again])).toEqual([[["a", "one"]], [["a_2", "two"]]]);
  const beside = [message("assistant", call("a", "x"), call("a", "y"))];
  expect(answers([...beside, message("tool", toolResult("a", "one"), toolResult("a", "two"))])).toEqual([
    [
      ["a", "one"],
      ["a_2", "two"],
    ],
  ]);
  const taken = [message("assistant", call("a", "x")), message("assistant", call("a", "y"))];
  expect(answers([...taken, message("tool", toolResult("a", "two"))])).toEqual([[["a", null]], [["a_2", "two"]]]);
});

test("keeps a result without a call as text, in its place", () => {
  const early = message("tool", toolResult("a", "too early"));
  const messages = [
    early,
    message("assistant", call("a")),
    message("tool", toolResult("a", "one"), toolResult("a", "again")),
  ];
  expect(steps(messages)[0]).toEqual({
    kind: "user",
    blocks: [
      { type: "text", text: "read:" },
      { type: "text", text: "too early" },
    ],
  });
  expect(answers(messages)).toEqual([[["a", "one"]]]);
  expect(steps(messages).at(-1)).toMatchObject({ blocks: [{ text: "read:" }, { text: "again" }] });
});

test("tells calls and results in words where no tools are spoken of", () => {
  const messages = [message("assistant", call("a")), message("tool", toolResult("a", "no", true))];
  expect(steps(messages, false)).toEqual([
    { kind: "assistant", blocks: [{ type: "text", text: '[called read with {"path":"a"}]' }] },
    {
      kind: "user",
      blocks: [
        { type: "text", text: "read failed:" },
        { type: "text", text: "no" },
      ],
    },
  ]);
});

test("takes the time of one walk, however many calls have one id", () => {
  const messages = Array.from({ length: 4000 }, (_, index) => [
    message("assistant", call("same")),
    message("tool", toolResult("same", String(index))),
  ]).flat();
  const start = performance.now();
  const found = steps(messages).filter(({ kind }) => kind === "results");
  expect(found).toHaveLength(4000);
  expect(found.at(-1)).toMatchObject({ results: [{ result: { content: [{ text: "3999" }] } }] });
  expect(performance.now() - start).toBeLessThan(2000);
});
