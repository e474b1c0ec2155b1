import { expect, expectTypeOf, test } from "vitest";
import { createEntering } from "../async/entering.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Hooks } from "../contracts/hooks.js";
import type { PermissionRequest, ToolContext } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import type { HookBus } from "./hook-bus.js";
import { createHookBus } from "./hook-bus.js";
import { hookNames } from "./hook-table.js";

const never = () => new Promise<never>(() => {});
const boom = () => {
  throw new Error("boom");
};

/** The parts of a context that the taps below look at. */
function toolContext(signal: AbortSignal = new AbortController().signal, session = "s1"): ToolContext {
  const parts: Partial<ToolContext> = {
    cwd: "/work",
    turnId: "t1",
    session: { id: session, interactive: false, depth: 0 },
    signal,
  };
  return parts as ToolContext;
}

const toolCall = { type: "tool-call", id: "c1", name: "bash", args: { command: "ls" } } as const;
function permission(signal?: AbortSignal): PermissionRequest {
  return { ...toolContext(signal), call: toolCall, tool: "tools-shell/bash", effect: "run", reasons: [] };
}

/** Limits are a hundredth of the real ones. */
function createBus(): { bus: HookBus; reported: Diagnostic[]; entered: (string | null)[] } {
  const reported: Diagnostic[] = [];
  const entered: (string | null)[] = [];
  const bus = createHookBus(
    (diagnostic) => void reported.push(diagnostic),
    createEntering((plugin) => void entered.push(plugin)),
    0.01,
  );
  return { bus, reported, entered };
}

function caught(run: () => unknown): Diagnostic | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof PluginError ? error.diagnostic : undefined;
  }
  return undefined;
}

test("without taps nothing is changed, answered or voted", async () => {
  const { bus, reported, entered } = createBus();
  await bus.tell("agentEnd", { text: "", stop: "end", usage: noUsage }, toolContext());
  await expect(bus.change("userInput", { text: "hi" }, toolContext())).resolves.toEqual({ text: "hi" });
  await expect(bus.ask("permissionAsk", permission())).resolves.toBeUndefined();
  await expect(bus.vote(permission())).resolves.toEqual({ verdict: undefined, reasons: [] });
  expect([reported, entered]).toEqual([[], []]);
});
const noUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

test("calls taps in the order of tap(), sync and async alike, and says whose code runs", async () => {
  const { bus, entered } = createBus();
  const [a, b] = [bus.face("a"), bus.face("@acme/b")];
  a.userInput.tap(({ text }) => ({ text: `${text}1` }));
  b.userInput.tap(async ({ text }) => ({ text: `${text}2` }));
  a.userInput.tap(({ text }) => ({ text: `${text}3` }));
  await expect(bus.change("userInput", { text: "" }, toolContext())).resolves.toEqual({ text: "123" });
  expect(entered).toEqual(["a", null, "@acme/b", null, "a", null]);
});

test("an open hook skips a throwing and a hung tap and names plugin and hook", async () => {
  const { bus, reported } = createBus();
  bus.face("thrower").userInput.tap(boom);
  bus.face("sleeper").userInput.tap(never, { timeoutMs: 1_000 });
  bus.face("good").userInput.tap(() => ({ text: "good" }));
  await expect(bus.change("userInput", { text: "" }, toolContext())).resolves.toEqual({ text: "good" });
  expect(reported).toMatchObject([
    {
      code: "hook-failed",
      level: "error",
      plugin: "thrower",
      hook: "userInput",
      message: 'Plugin "thrower" failed in hook "userInput": boom',
      cause: new Error("boom"),
    },
    {
      code: "hook-timeout",
      level: "error",
      plugin: "sleeper",
      hook: "userInput",
      message: 'Plugin "sleeper" did not settle within 10 ms in hook "userInput"',
    },
  ]);
});

test("a tap may shorten its time and never lengthen it", async () => {
  const { bus, reported } = createBus();
  const hooks = bus.face("slow");
  hooks.sectionsAssembled.tap(never, { timeoutMs: 60_000 });
  hooks.sectionsAssembled.tap(never, { timeoutMs: 500 });
  await bus.change("sectionsAssembled", [], toolContext());
  expect(reported.map(({ message }) => message)).toEqual([
    'Plugin "slow" did not settle within 20 ms in hook "sectionsAssembled"',
    'Plugin "slow" did not settle within 5 ms in hook "sectionsAssembled"',
  ]);
});

test("each tap has a context of its own, whose signal aborts when the tap is out of time", async () => {
  const { bus } = createBus();
  const seen: ToolContext[] = [];
  bus.face("late").afterToolCall.tap((_, context) => {
    seen.push(Object.assign(context, { cwd: "/elsewhere" }));
    return never();
  });
  bus.face("next").afterToolCall.tap((_, context) => void seen.push(context));
  const context = toolContext();
  await bus.change(
    "afterToolCall",
    { type: "tool-result", id: "c1", name: "bash", isError: false, content: [] },
    context,
  );
  expect(seen.map(({ cwd, signal }) => [cwd, signal.aborted])).toEqual([
    ["/elsewhere", true],
    ["/work", false],
  ]);
  expect(context.signal.aborted).toBe(false);
});

test("evaluates getters of the context anew for each tap", async () => {
  const { bus } = createBus();
  let reads = 0;
  const seen: string[] = [];
  bus.face("a").agentEnd.tap((_, { turnId }) => void seen.push(turnId));
  bus.face("b").agentEnd.tap((_, { turnId }) => void seen.push(turnId));
  const context = Object.defineProperty(toolContext(), "turnId", {
    get: () => `read ${++reads}`,
    enumerable: true,
  });
  await bus.tell("agentEnd", { text: "", stop: "end", usage: noUsage }, context);
  expect(seen).toEqual(["read 1", "read 2"]);
});

test("an abort of the turn leaves as it is and is nobody's failure", async () => {
  const { bus, reported } = createBus();
  const stopped = new Error("stopped by the user");
  const controller = new AbortController();
  bus.face("a").permissionAsk.tap(never);
  bus.face("b").permissionCheck.tap((request) => {
    controller.abort(stopped);
    request.signal.throwIfAborted();
    throw new Error("failed because of the abort");
  });
  await expect(bus.vote(permission(controller.signal))).rejects.toBe(stopped);
  await expect(bus.ask("permissionAsk", permission(controller.signal))).rejects.toBe(stopped);
  const later = new AbortController();
  const asked = bus.ask("permissionAsk", permission(later.signal));
  later.abort(stopped);
  await expect(asked).rejects.toBe(stopped);
  expect(reported).toEqual([]);
});

test("null from a change, and a value of another shape, are reported and change nothing", async () => {
  const { bus, reported } = createBus();
  const untyped = bus.face("a") as unknown as Record<string, { tap(fn: () => unknown): void }>;
  untyped["userInput"]?.tap(() => null);
  untyped["userInput"]?.tap(() => "just words");
  await expect(bus.change("userInput", { text: "hi" }, toolContext())).resolves.toEqual({ text: "hi" });
  expect(reported).toMatchObject([
    { code: "hook-null", plugin: "a", hook: "userInput" },
    { code: "hook-failed", message: expect.stringContaining("returned a string where an object is wanted") },
  ]);
});

test("three failures of one tap in one session switch it off, told once", async () => {
  const { bus, reported } = createBus();
  let calls = 0;
  bus.face("bad").userInput.tap(() => {
    calls += 1;
    throw new Error("bad day");
  });
  const run = (session: string) => bus.change("userInput", { text: "" }, toolContext(undefined, session));
  for (const session of ["s1", "s2", "s1", "s2"]) await run(session);
  expect(reported.map(({ code }) => code)).toEqual(Array(4).fill("hook-failed"));
  await run("s1");
  await run("s1");
  await run("s2");
  expect(calls).toBe(5);
  expect(reported.at(-1)).toMatchObject({
    code: "tap-switched-off",
    level: "warn",
    plugin: "bad",
    hook: "userInput",
  });
  expect(reported).toHaveLength(6);
});

test("a failed request takes the first decision of the right shape", async () => {
  const { bus, reported } = createBus();
  bus.face("bad").providerError.tap(() => ({ retry: true }) as unknown as { retry: false });
  bus.face("silent").providerError.tap(() => undefined);
  bus.face("good").providerError.tap((failure) => ({ retry: true, delayMs: failure.attempt }));
  bus.face("late").providerError.tap(() => ({ retry: false }));
  const decision = await bus.ask(
    "providerError",
    { error: new Error("429"), attempt: 7, planned: { retry: false } },
    toolContext(),
  );
  expect(decision).toEqual({ retry: true, delayMs: 7 });
  expect(reported).toMatchObject([{ code: "hook-failed", plugin: "bad" }]);
});

test("an unknown hook names the nearest one", () => {
  const { bus } = createBus();
  const hooks = bus.face("typo") as unknown as Record<string, unknown>;
  expect(caught(() => hooks["beforeToolcall"])).toMatchObject({
    code: "hook-unknown",
    plugin: "typo",
    fix: 'Did you mean "beforeToolCall"?',
  });
  expect(caught(() => hooks["toString"])).toMatchObject({ code: "hook-unknown" });
  expect(Object.keys(hooks)).toEqual(hookNames);
});

test("a hook is tapped with a function and a time above zero", () => {
  const { bus } = createBus();
  const agentEnd = bus.face("js").agentEnd as { tap(fn: unknown, options?: unknown): void };
  expect(caught(() => agentEnd.tap("log it"))).toMatchObject({
    code: "tap-invalid",
    plugin: "js",
    hook: "agentEnd",
    message: expect.stringContaining("with string where a function is wanted"),
  });
  for (const timeoutMs of [0, -1, Number.NaN, "5"]) {
    expect(caught(() => agentEnd.tap(boom, { timeoutMs }))).toMatchObject({ code: "tap-invalid" });
  }
});

test("after set-up nobody taps", async () => {
  const { bus } = createBus();
  const hooks = bus.face("late");
  hooks.userInput.tap(() => ({ text: "in time" }));
  bus.close();
  expect(caught(() => hooks.userInput.tap(boom))).toMatchObject({ code: "registry-closed", plugin: "late" });
  await expect(bus.change("userInput", { text: "" }, toolContext())).resolves.toEqual({ text: "in time" });
});

test("a withdrawn plugin is no longer heard and cannot come back", async () => {
  const { bus } = createBus();
  const hooks = bus.face("half");
  hooks.permissionCheck.tap(() => ({ level: "allow" }));
  bus.face("whole").permissionCheck.tap(() => ({ level: "ask" }));
  bus.withdraw("half");
  expect(caught(() => hooks.userInput.tap(boom))).toMatchObject({ code: "registry-closed" });
  await expect(bus.vote(permission())).resolves.toEqual({ verdict: { level: "ask" }, reasons: [] });
});

test("types of hooks and calls agree", () => {
  expectTypeOf<Parameters<HookBus["vote"]>>().toEqualTypeOf<[PermissionRequest]>();
  expectTypeOf<Parameters<Hooks["permissionAsk"]["tap"]>[0]>().parameter(0).toEqualTypeOf<PermissionRequest>();
  const { bus } = createBus();
  // @ts-expect-error a change is not told
  void (() => bus.tell("userInput", { text: "" }, toolContext()));
  // @ts-expect-error the value is not a text
  void (() => bus.change("userInput", { text: 1 }, toolContext()));
  // @ts-expect-error the context is missing
  void (() => bus.tell("agentEnd", { text: "", stop: "end", usage: noUsage }));
  const answer = () => bus.ask("permissionAsk", permission());
  expectTypeOf(answer).returns.resolves.toEqualTypeOf<
    { readonly allow: boolean; readonly remember?: "once" | "session" | "project" } | undefined
  >();
});
