import { expect, test } from "vitest";
import type { SectionContext, TurnOptions, TurnResult } from "@quire/core";
import { openBed, plugin, resultsOf, textOf, textSection } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, type Reply, says, untilStopped } from "../support/scripted-provider.js";

/** A tool `delegate` that starts a subagent with the given options, and the beds' own tools. */
function delegating(options: Partial<TurnOptions>, ended: (result: TurnResult) => void = () => {}) {
  return plugin("team", (host) => {
    host.tools.register(
      recordingTool("team/delegate", {
        async run(_args, context) {
          const turn = host.turns.start({ prompt: "sub task", parent: context, ...options }, context.signal);
          const result = await turn.result;
          ended(result);
          return result.text;
        },
      }),
    );
    host.tools.register(recordingTool("team/look"));
    host.tools.register(recordingTool("team/write", { effect: "write" }));
  });
}

async function delegated(
  options: Partial<TurnOptions>,
  replies: readonly Reply[] = [calls(["delegate"]), says("found")],
) {
  const bed = await openBed({
    plugins: [plugin("base", textSection("base/identity", "identity", "You are Q.")), delegating(options)],
    replies,
  });
  await bed.send("task");
  return { ...bed, child: bed.provider.requests[1], answer: textOf(resultsOf(bed.session.messages)[0]) };
}

test("a subagent has a session of its own, one level deeper, and its text is the parent's to use", async () => {
  const seen: SectionContext[] = [];
  const look = plugin("look", (host) =>
    host.sections.register({
      name: "look/it",
      slot: "rules",
      cache: "memoized",
      compute(context) {
        seen.push(context);
        return null;
      },
    }),
  );
  const bed = await openBed({ plugins: [look, delegating({})], replies: [calls(["delegate"]), says("found")] });
  expect(await bed.send("task")).toMatchObject({ text: "ok" });
  expect(textOf(resultsOf(bed.session.messages)[0])).toBe("found");
  expect(seen.map(({ audience, session, cwd }) => [audience, session.depth, cwd])).toEqual([
    ["main", 0, "/repo"],
    ["subagent", 1, "/repo"],
  ]);
  const sessions = new Set(bed.log.records.map(({ session }) => session));
  expect(sessions.size).toBe(2);
  expect(bed.provider.requests[1]?.messages.map(textOf)).toEqual(["sub task"]);
});

test("a subagent's tools are narrowed to those named: others are neither declared nor run", async () => {
  const { child, provider } = await delegated({ tools: ["look"] }, [
    calls(["delegate"]),
    calls(["write"], ["look"], ["delegate"]),
    says("found"),
  ]);
  expect(child?.tools.map(({ name }) => name)).toEqual(["look"]);
  const results = resultsOf(provider.requests[2]?.messages ?? []);
  expect(results.map(({ name, isError }) => [name, isError])).toEqual([
    ["write", true],
    ["look", false],
    ["delegate", true],
  ]);
  expect(textOf(results[0])).toContain('The tool "write" is off');
});

test("a subagent has no more permission than its parent: the same votes are heard", async () => {
  const depths: number[] = [];
  const guard = plugin("guard", (host) =>
    host.hooks.permissionCheck.tap(({ session, effect }) => {
      depths.push(session.depth);
      return { level: effect === "write" ? "deny" : "allow", reason: "read only" };
    }),
  );
  const bed = await openBed({
    plugins: [guard, delegating({})],
    replies: [calls(["delegate"]), calls(["write"]), says("refused")],
  });
  await bed.send("task");
  expect(depths).toEqual([0, 1]);
  expect(textOf(resultsOf(bed.provider.requests[2]?.messages ?? [])[0])).toBe("Refused: read only");
});

test("a system text replaces the whole prefix", async () => {
  const { child } = await delegated({ system: "You summarise." });
  expect(child?.system.text).toBe("You summarise.");
  expect(child?.system.regions.at(-1)?.end).toBe(14);
  const own = await delegated({});
  expect(own.child?.system.text).toBe("You are Q.");
});

test("a subagent takes its parent's model unless another is named", async () => {
  const { child } = await delegated({ model: "scripted/two" });
  expect(child?.model).toEqual({ provider: "scripted", id: "two" });
  expect((await delegated({})).child?.model).toEqual({ provider: "scripted", id: "one" });
});

test("a model nobody serves is an answer to the model that asked", async () => {
  const { answer, provider } = await delegated({ model: "nobody/x" });
  expect(answer).toContain('No provider is called "nobody"');
  expect(provider.requests).toHaveLength(2);
});

test("without persistence the subagent leaves no record", async () => {
  const { log, session } = await delegated({ persist: false });
  expect(new Set(log.records.map((entry) => entry.session))).toEqual(new Set([session.info.id]));
});

test("a profile reaches the sections of the turn it is given to", async () => {
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/role",
      slot: "rules",
      cache: "memoized",
      compute: ({ profile }) => profile?.instructions ?? null,
    }),
  );
  const bed = await openBed({
    plugins: [own, delegating({ profile: { name: "scout", instructions: "Scout ahead." } })],
    replies: [calls(["delegate"])],
  });
  await bed.send("task");
  expect(bed.provider.requests.map(({ system }) => system.text)).toEqual(["", "Scout ahead.", ""]);
});

test("stopping the parent stops its subagent", async () => {
  const stop = new AbortController();
  let ended: TurnResult | undefined;
  const bed = await openBed({
    plugins: [delegating({}, (result) => (ended = result))],
    replies: [
      calls(["delegate"]),
      [
        { type: "text", delta: "so far" },
        (signal) => {
          setImmediate(() => stop.abort());
          return untilStopped(signal);
        },
      ],
    ],
  });
  expect(await bed.send("task", stop.signal)).toMatchObject({ stop: "aborted" });
  await expect.poll(() => ended).toMatchObject({ stop: "aborted", text: "so far" });
});

test("a turn in an open session waits for its turn and continues that history", async () => {
  let start: ((prompt: string) => Promise<TurnResult>) | undefined;
  const own = plugin("own", (host) =>
    host.hooks.sessionStart.tap(({ session }) => {
      start ??= (prompt) => host.turns.start({ prompt, session: session.id }, new AbortController().signal).result;
    }),
  );
  const bed = await openBed({ plugins: [own], replies: [says("one"), says("two")] });
  const first = bed.send("mine");
  const second = start?.("follow up");
  expect([await first, await second].map((result) => result?.text)).toEqual(["one", "two"]);
  expect(bed.session.messages.map(textOf)).toEqual(["mine", "one", "follow up", "two"]);
});

test("several subagents run side by side", async () => {
  let running = 0;
  let most = 0;
  const reply: Reply = [
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
    },
    ...says("found"),
  ];
  const team = plugin("team", (host) =>
    host.tools.register(
      recordingTool("team/all", {
        async run(_args, context) {
          const turns = ["a", "b", "c"].map((prompt) => host.turns.start({ prompt, parent: context }, context.signal));
          return (await Promise.all(turns.map(({ result }) => result))).map(({ text }) => text).join(" ");
        },
      }),
    ),
  );
  const bed = await openBed({ plugins: [team], replies: [calls(["all"]), reply, reply, reply] });
  await bed.send("task");
  expect(textOf(resultsOf(bed.session.messages)[0])).toBe("found found found");
  expect(most).toBe(3);
});

test("a subagent that may use some tools only cannot reach late tools beside them", async () => {
  const late = recordingTool("servers/send");
  const bed = await openBed({
    plugins: [
      plugin("servers", (host) => host.tools.source({ name: "servers", list: () => [late] })),
      plugin("gateway", (host) => {
        host.tools.register({
          name: "gateway/use",
          description: "Calls a late tool",
          effect: "read",
          input: { type: "object" },
          execute: async (args, context) => textOf(await host.tools.call("servers/send", args, context)),
        });
        host.tools.register({
          name: "gateway/delegate",
          description: "Starts a subagent",
          effect: "read",
          input: { type: "object" },
          execute: async (_args, context) =>
            (await host.turns.start({ prompt: "go", parent: context, tools: ["use"] }, context.signal).result).text,
        });
      }),
    ],
    replies: [calls(["delegate"]), calls(["use"])],
  });
  await bed.send();
  expect(late.runs).toEqual([]);
});
