import { expect, test } from "vitest";
import { openBed, plugin } from "../support/core-bed.js";
import { calls, createScriptedProvider, says } from "../support/scripted-provider.js";

/** A volatile section whose state changes while a tool runs; `computed` counts. */
function keyed(withKey: boolean) {
  const state = { value: "calm", computed: 0 };
  const house = plugin("house", (host) => {
    host.sections.register({
      name: "house/mood",
      slot: "session",
      cache: { volatile: "moods change while work goes on" },
      ...(withKey ? { key: () => state.value } : {}),
      compute: () => {
        state.computed += 1;
        return state.value;
      },
    });
    host.tools.register({
      name: "house/wait",
      description: "waits",
      effect: "read",
      input: { type: "object", properties: { mood: { type: "string" } } },
      execute: (args) => {
        state.value = (args as { mood?: string }).mood ?? state.value;
        return "waited";
      },
    });
  });
  return { state, house };
}

test("a volatile section with a key is told again inside a turn, when its key changed and only then", async () => {
  const { state, house } = keyed(true);
  const provider = createScriptedProvider([calls(["wait"]), calls(["wait", { mood: "stormy" }]), says("done")]);
  const bed = await openBed({ plugins: [house], provider });
  await bed.send();
  const told = bed.session.messages.flatMap(({ context = [] }) => context);
  expect(told.map(({ op, content }) => [op, content])).toEqual([
    ["add", { kind: "text", text: "calm" }],
    ["replace", { kind: "text", text: "stormy" }],
  ]);
  expect(provider.requests.at(-1)?.messages.at(-1)?.role).toBe("context");
  expect(state.computed).toBe(2);
  await bed.send("again");
  expect(state.computed).toBe(3);
});

test("a volatile section without a key is looked at once per turn", async () => {
  const { house } = keyed(false);
  const provider = createScriptedProvider([calls(["wait", { mood: "stormy" }]), says("done"), says("done")]);
  const bed = await openBed({ plugins: [house], provider });
  await bed.send();
  expect(bed.session.messages.filter(({ role }) => role === "context")).toHaveLength(1);
  await bed.send("again");
  expect(bed.session.messages.filter(({ role }) => role === "context")).toHaveLength(2);
});
