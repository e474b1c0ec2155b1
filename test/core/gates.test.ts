import { expect, test } from "vitest";
import type { Effect, Hooks, PermissionRequest, Verdict } from "@quire/core";
import { load, openBed, plugin, resultsOf, textOf } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, never } from "../support/scripted-provider.js";

/** A turn in which the model calls `tools/act` once, under the taps given. */
async function turnWith(taps: readonly ((hooks: Hooks) => void)[], effect: Effect = "write") {
  const tool = recordingTool("tools/act", { effect });
  const plugins = taps.map((tap, index) => plugin(`guard-${index}`, (host) => tap(host.hooks)));
  const bed = await openBed({
    plugins: [plugin("tools", (host) => host.tools.register(tool)), ...plugins],
    replies: [calls(["act", { path: "a" }])],
    timeScale: 0.005,
  });
  const result = await bed.send();
  const answer = resultsOf(bed.session.messages)[0];
  return {
    ...bed,
    result,
    ran: tool.runs.length === 1,
    refusal: answer !== undefined && answer.isError ? textOf(answer) : undefined,
  };
}

const votes = (verdict: Verdict) => (hooks: Hooks) => hooks.permissionCheck.tap(() => verdict);
const answers = (allow: boolean) => (hooks: Hooks) => hooks.permissionAsk.tap(() => ({ allow }));
const allow = votes({ level: "allow" });
const deny = votes({ level: "deny", reason: "never on Fridays" });
const ask = votes({ level: "ask", reason: "it writes" });

test.for([
  { name: "allow after deny", taps: [deny, allow] },
  { name: "deny after allow", taps: [allow, deny] },
  { name: "deny over ask, though the answer would be yes", taps: [ask, deny, answers(true)] },
])("$name is deny, and the model reads the reason", async ({ taps }) => {
  const { ran, refusal, result } = await turnWith(taps);
  expect(ran).toBe(false);
  expect(refusal).toContain("never on Fridays");
  expect(result).toMatchObject({ stop: "end", text: "ok" });
});

test.for([
  { name: "ask after allow, answered with yes", taps: [allow, ask, answers(true)], ran: true },
  { name: "ask after allow, answered with no", taps: [allow, ask, answers(false)], ran: false },
  { name: "ask with nobody there", taps: [ask], ran: false },
  { name: "the first of two answers", taps: [ask, answers(false), answers(true)], ran: false },
  { name: "allow alone", taps: [allow], ran: true },
])("$name decides", async ({ taps, ran }) => {
  const turn = await turnWith(taps);
  expect(turn.ran).toBe(ran);
  if (!ran) expect(turn.refusal).toMatch(/^Refused: .*it writes/);
});

test.for([
  { effect: "read", ran: true },
  { effect: "write", ran: false },
  { effect: "run", ran: false },
  { effect: "network", ran: false },
] as const)("without any vote a tool that may $effect: runs $ran", async ({ effect, ran }) => {
  expect((await turnWith([], effect)).ran).toBe(ran);
});

const throwing = () => {
  throw new Error("gate broke");
};

test.for([
  {
    name: "beforeToolCall that throws",
    tap: (hooks: Hooks) => hooks.beforeToolCall.tap(throwing),
    code: "hook-failed",
  },
  {
    name: "beforeToolCall that never settles",
    tap: (hooks: Hooks) => hooks.beforeToolCall.tap(never),
    code: "hook-timeout",
  },
  {
    name: "permissionCheck that throws",
    tap: (hooks: Hooks) => hooks.permissionCheck.tap(throwing),
    code: "hook-failed",
  },
  {
    name: "permissionCheck that never settles",
    tap: (hooks: Hooks) => hooks.permissionCheck.tap(never),
    code: "hook-timeout",
  },
  {
    name: "permissionCheck of the wrong type",
    tap: (hooks: Hooks) => hooks.permissionCheck.tap(() => "allow" as never),
    code: "hook-failed",
  },
])("a $name refuses the call, names its plugin, and the turn goes on", async ({ tap, code }) => {
  const { ran, refusal, result, diagnostics } = await turnWith([allow, tap]);
  expect(ran).toBe(false);
  expect(refusal).toMatch(/^Refused: .*"guard-1"/);
  expect(result.stop).toBe("end");
  expect(diagnostics).toEqual([expect.objectContaining({ code, plugin: "guard-1", level: "error" })]);
});

test("an ask that throws is a no", async () => {
  const { ran } = await turnWith([ask, (hooks) => hooks.permissionAsk.tap(throwing), answers(true)]);
  expect(ran).toBe(false);
});

test("a gate is never switched off, however often it fails", async () => {
  const tool = recordingTool("tools/act");
  const bed = await openBed({
    plugins: [
      plugin("tools", (host) => host.tools.register(tool)),
      plugin("guard", (host) => host.hooks.beforeToolCall.tap(throwing)),
    ],
    replies: [1, 2, 3, 4, 5].map(() => calls(["act"])),
  });
  await bed.send();
  expect(resultsOf(bed.session.messages).map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
  expect(tool.runs).toEqual([]);
});

test("an open tap that fails three times is switched off and reported, the turn goes on", async () => {
  const bed = await openBed({
    plugins: [plugin("noisy", (host) => host.hooks.beforeProviderRequest.tap(throwing))],
    replies: [calls(["x"]), calls(["x"]), calls(["x"]), calls(["x"])],
  });
  expect(await bed.send()).toMatchObject({ stop: "end" });
  expect(bed.codes()).toEqual(["hook-failed", "hook-failed", "hook-failed", "tap-switched-off"]);
});

test("beforeToolCall changes the arguments that are judged, voted on and run", async () => {
  const tool = recordingTool("tools/act", { effect: "write" });
  const seen: PermissionRequest[] = [];
  const bed = await openBed({
    plugins: [
      plugin("tools", (host) => host.tools.register(tool)),
      plugin("guard", ({ hooks }) => {
        hooks.beforeToolCall.tap((call) => ({ ...call, args: { path: "safe", was: call.args["path"] } }));
        hooks.permissionCheck.tap((request) => {
          seen.push(request);
          return { level: "allow" };
        });
      }),
    ],
    replies: [calls(["act", { path: "unsafe" }])],
  });
  await bed.send();
  expect(tool.runs).toEqual([{ path: "safe", was: "unsafe" }]);
  expect(seen[0]).toMatchObject({ tool: "tools/act", effect: "write", call: { name: "act", args: { path: "safe" } } });
});

test("tools.call meets the same gates under the tool's full name, and is in the log", async () => {
  const inner = recordingTool("inner/write", { effect: "write" });
  const asked: string[] = [];
  let refusal: unknown;
  const bed = await openBed({
    plugins: [
      plugin("inner", (host) => host.tools.register(inner)),
      plugin("outer", (host) =>
        host.tools.register({
          name: "outer/do",
          description: "Calls the inner tool",
          effect: "read",
          input: { type: "object" },
          async execute(_args, context) {
            await host.tools.call("inner/write", { path: "a" }, context);
            refusal = await host.tools.call("inner/write", { path: "b" }, context);
            return "done";
          },
        }),
      ),
      plugin("guard", (host) =>
        host.hooks.permissionCheck.tap(({ tool, call }) => {
          asked.push(`${tool} ${JSON.stringify(call.args)}`);
          return call.args["path"] === "b" ? { level: "deny", reason: "not b" } : { level: "allow" };
        }),
      ),
    ],
    replies: [calls(["do"])],
  });
  await bed.send();
  expect(inner.runs).toEqual([{ path: "a" }]);
  expect(refusal).toMatchObject({ isError: true, content: [{ text: "Refused: not b" }] });
  expect(asked).toEqual(["outer/do {}", 'inner/write {"path":"a"}', 'inner/write {"path":"b"}']);
  const nested = bed.log.records.map(({ record }) => record).filter((record) => record["type"] === "nested-call");
  expect(nested.map((record) => [record["parent"], record["result"]])).toMatchObject([
    ["c1", { isError: false }],
    ["c1", { isError: true }],
  ]);
});

test.for([
  { name: "fails in setup", definition: plugin("guard", throwing), cause: "gate broke" },
  { name: "is no plugin", definition: { name: "guard" } as never, cause: "is not loaded" },
  {
    name: "needs an absent plugin",
    definition: { ...plugin("guard", () => {}), needs: ["absent"] },
    cause: 'needs "absent"',
  },
])("a required plugin that $name: no turn", async ({ definition, cause }) => {
  const bed = await openBed({ plugins: [load(definition, { name: "guard", required: true })] });
  const result = await bed.send();
  expect(result).toMatchObject({ stop: "error", error: { code: "plugin-required", plugin: "guard" } });
  expect(result.error?.message).toContain(cause);
  expect(bed.provider.requests).toEqual([]);
});

test("a vote whose level is a name every object has counts as a failure, and a deny stands", async () => {
  const wrong = (hooks: Hooks) => hooks.permissionCheck.tap(() => ({ level: "toString" }) as unknown as Verdict);
  const yes = (hooks: Hooks) => hooks.permissionAsk.tap(() => ({ allow: true }));
  const no = (hooks: Hooks) => hooks.permissionCheck.tap(() => ({ level: "deny", reason: "never" }) as const);
  for (const taps of [
    [wrong, no, yes],
    [wrong, yes],
  ]) {
    expect(JSON.stringify(await turnWith(taps))).toContain("Refused");
  }
});

test.for([[[{ type: "text" }]], [[null]], [[{ type: "text", text: 5 }]], [[{ type: "tool-call" }]]])(
  "a tool that answers with %j is an error the model reads, and the history stays whole",
  async ([output]) => {
    const tool = { ...recordingTool("tools/act", { effect: "read" }), execute: () => output as never };
    const bed = await openBed({
      plugins: [plugin("tools", (host) => host.tools.register(tool))],
      replies: [calls(["act", { path: "a" }])],
    });
    expect(await bed.send()).toMatchObject({ stop: "end" });
    const answer = resultsOf(bed.session.messages)[0];
    expect(answer?.isError).toBe(true);
    expect(answer?.content.every((block) => block.type === "text" && typeof block.text === "string")).toBe(true);
  },
);
