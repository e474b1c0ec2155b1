import { expect, test } from "vitest";
import { createEntering } from "../async/entering.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { PermissionRequest, ToolContext, Verdict } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import type { HookBus } from "./hook-bus.js";
import { createHookBus } from "./hook-bus.js";

const never = () => new Promise<never>(() => {});
const boom = () => {
  throw new Error("boom");
};

/** The parts of a context that the taps below look at. */
function toolContext(): ToolContext {
  const parts: Partial<ToolContext> = {
    session: { id: "s1", interactive: false, depth: 0 },
    signal: new AbortController().signal,
  };
  return parts as ToolContext;
}

const toolCall = { type: "tool-call", id: "c1", name: "bash", args: { command: "ls" } } as const;
function permission(): PermissionRequest {
  return { ...toolContext(), call: toolCall, tool: "tools-shell/bash", effect: "run", reasons: [] };
}

/** Limits are a hundredth of the real ones. */
function createBus(): { bus: HookBus; reported: Diagnostic[] } {
  const reported: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void reported.push(diagnostic);
  const bus = createHookBus(report, createEntering(), 0.01);
  return { bus, reported };
}

test("a failing beforeToolCall refuses the call every time and is never switched off", async () => {
  const { bus, reported } = createBus();
  bus.face("@acme/guard").beforeToolCall.tap(boom);
  for (let round = 0; round < 5; round++) {
    const error: unknown = await bus
      .change("beforeToolCall", toolCall, toolContext())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PluginError);
    expect(error).toMatchObject({
      diagnostic: {
        code: "gate-failed",
        plugin: "@acme/guard",
        hook: "beforeToolCall",
        cause: new Error("boom"),
      },
    });
  }
  expect(reported.map(({ code }) => code)).toEqual(Array(5).fill("hook-failed"));
});

test.for([
  { name: "allow after deny is deny", votes: ["deny", "allow"], want: "deny" },
  { name: "deny after allow is deny", votes: ["allow", "deny", "ask"], want: "deny" },
  { name: "ask beats allow", votes: ["allow", "ask", "allow"], want: "ask" },
  { name: "allow alone stands", votes: [undefined, "allow"], want: "allow" },
] as const)("of the votes $name", async ({ votes, want }) => {
  const { bus } = createBus();
  const heardBefore: (readonly string[])[] = [];
  for (const [index, level] of votes.entries()) {
    bus.face(`p${index}`).permissionCheck.tap(async (request) => {
      heardBefore.push(request.reasons);
      return level === undefined ? undefined : { level, reason: `${level} of p${index}` };
    });
  }
  const { verdict, reasons } = await bus.vote(permission());
  expect(verdict?.level).toBe(want);
  expect(heardBefore).toHaveLength(votes.length);
  expect(heardBefore.at(-1)).toEqual(reasons.filter((reason) => !reason.endsWith(`p${votes.length - 1}`)));
});

test.for([
  { name: "throws", tap: boom, code: "hook-failed" },
  { name: "never settles", tap: never, code: "hook-timeout" },
  { name: "votes nonsense", tap: () => ({ level: "maybe" }) as unknown as Verdict, code: "hook-failed" },
  { name: "votes true", tap: () => true as unknown as Verdict, code: "hook-failed" },
])("a permission check that $name is a deny that names its plugin", async ({ tap, code }) => {
  const { bus, reported } = createBus();
  bus.face("before").permissionCheck.tap(() => ({ level: "allow" }));
  bus.face("@acme/guard").permissionCheck.tap(tap);
  bus.face("after").permissionCheck.tap(() => ({ level: "allow" }));
  const { verdict, reasons } = await bus.vote(permission());
  expect(verdict).toMatchObject({ level: "deny", reason: expect.stringContaining('"@acme/guard"') });
  expect(reasons).toEqual([verdict?.reason]);
  expect(reported).toMatchObject([{ code, plugin: "@acme/guard", hook: "permissionCheck" }]);
});

test.for([
  { name: "throws", tap: boom },
  { name: "answers nonsense", tap: () => ({ allow: "yes" }) as unknown as { allow: boolean } },
])("a permission question whose tap $name is refused", async ({ tap }) => {
  const { bus, reported } = createBus();
  bus.face("guard").permissionAsk.tap(tap);
  bus.face("after").permissionAsk.tap(() => ({ allow: true }));
  await expect(bus.ask("permissionAsk", permission())).resolves.toEqual({ allow: false });
  expect(reported).toMatchObject([{ code: "hook-failed", plugin: "guard", hook: "permissionAsk" }]);
});
