import { expect, test } from "vitest";
import { openBed, plugin } from "../support/core-bed.js";
import { createMemoryLog } from "../support/memory-log.js";
import { calls, createScriptedProvider, says } from "../support/scripted-provider.js";

const how = plugin("how", (host) => {
  host.sections.register({ name: "how/who", slot: "identity", cache: "memoized", compute: () => "You are Q." });
  host.sections.register({
    name: "how/mood",
    slot: "session",
    cache: { volatile: "moods change every turn" },
    compute: () => "calm",
  });
  host.sections.register({
    name: "how/compact",
    slot: "end",
    cache: "memoized",
    audience: ["compaction"],
    compute: () => "Write down what matters.",
  });
});

test("a compaction asks with the very prefix and history, and the summary takes the history's place", async () => {
  const log = createMemoryLog();
  const provider = createScriptedProvider([says("one"), says("two"), says("They said hello twice."), says("three")]);
  const bed = await openBed({ plugins: [how], log, provider });
  await bed.send("first");
  await bed.send("second");
  const before = bed.session.messages;
  const turn = bed.session.compact("the user asked", new AbortController().signal);
  expect(await turn.result).toMatchObject({ stop: "end", text: "They said hello twice." });
  const asked = provider.requests[2];
  expect(asked?.system).toEqual(provider.requests[1]?.system);
  expect(asked?.tools).toEqual(provider.requests[1]?.tools);
  expect(asked?.cacheKey).toBe(provider.requests[1]?.cacheKey);
  expect(asked?.messages.slice(0, -1)).toEqual(before);
  expect(asked?.messages.at(-1)?.content).toEqual([{ type: "text", text: "Write down what matters." }]);
  expect(bed.session.messages).toMatchObject([{ role: "context", context: [{ cause: "summary" }] }]);

  await bed.send("third");
  const sent = provider.requests[3]?.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual(["context", "user", "context"]);
  expect(JSON.stringify(sent)).not.toContain("first");
  // What stood in notes of the old history is told once more.
  expect(sent.at(-1)?.context).toMatchObject([{ section: "how/mood", op: "add" }]);
  expect(JSON.stringify(log.records)).toContain("first");

  const resumed = await openBed({ plugins: [how], log, open: { resume: bed.session.info.id } });
  expect(resumed.session.messages).toEqual(bed.session.messages);
  expect(bed.codes()).not.toContain("cache-bust");
});

test("a plugin may say no, or bring the summary itself", async () => {
  const answers: ({ cancel: string } | { summary: string })[] = [{ cancel: "not now" }, { summary: "All is well." }];
  const chooser = plugin("chooser", (host) => host.hooks.beforeCompact.tap(() => answers.shift()));
  const bed = await openBed({ plugins: [how, chooser] });
  await bed.send("first");
  const { signal } = new AbortController();
  await bed.session.compact("x", signal).result;
  expect(bed.session.messages).toHaveLength(3);
  expect(bed.codes()).toContain("compact-cancelled");
  await bed.session.compact("x", signal).result;
  expect(JSON.stringify(bed.session.messages)).toContain("All is well.");
  expect(bed.provider.requests).toHaveLength(1);
});

test("a plugin compacts inside a turn: the turn's own messages stay", async () => {
  const provider = createScriptedProvider([says("one"), calls(["look"]), says("A short summary."), says("done")]);
  const looker = plugin("looker", (host) =>
    host.tools.register({
      name: "looker/look",
      description: "looks",
      effect: "read",
      input: { type: "object" },
      execute: (_args, context) => {
        host.turns.compact(context.session.id, "the window is nearly full");
        return "seen";
      },
    }),
  );
  const bed = await openBed({ plugins: [how, looker], provider });
  await bed.send("first");
  expect(await bed.send("second")).toMatchObject({ stop: "end", text: "done" });
  const sent = JSON.stringify(provider.requests[3]?.messages);
  expect(sent).not.toContain("first");
  for (const kept of ["A short summary.", "second", "seen"]) expect(sent).toContain(kept);
});

test.for([
  { name: "no section says how", plugins: [], replies: [says("one")], code: "compact-unknown" },
  { name: "the summary is empty", plugins: [how], replies: [says("one"), says("")], code: "compact-empty" },
])("when $name the history stays as it is", async ({ plugins, replies, code }) => {
  const bed = await openBed({ plugins, provider: createScriptedProvider(replies) });
  await bed.send("first");
  const before = bed.session.messages;
  const result = await bed.session.compact("x", new AbortController().signal).result;
  expect(result).toMatchObject({ stop: "error", error: { code } });
  expect(bed.session.messages).toEqual(before);
});

test("a compaction that is stopped changes nothing", async () => {
  const stop = new AbortController();
  const provider = createScriptedProvider([
    says("one"),
    [
      async () => {
        stop.abort();
      },
    ],
  ]);
  const bed = await openBed({ plugins: [how], provider });
  await bed.send("first");
  const before = bed.session.messages;
  expect(await bed.session.compact("x", stop.signal).result).toMatchObject({ stop: "aborted" });
  expect(bed.session.messages).toEqual(before);
});
