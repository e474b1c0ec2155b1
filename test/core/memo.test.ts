import { expect, test } from "vitest";
import type { SectionBody, SectionContext } from "@quire/core";
import { type Bed, openBed, plugin } from "../support/core-bed.js";

/** One section in the prefix that counts how often it is computed. */
function counting(body: Partial<SectionBody>) {
  const seen = { computed: 0 };
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      ...body,
      compute: async (context, signal) => {
        seen.computed += 1;
        return (await body.compute?.(context, signal)) ?? `value ${seen.computed}`;
      },
    }),
  );
  return { own, seen };
}

async function textsOf(bed: Bed, times: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let turn = 0; turn < times; turn++) texts.push((await bed.session.prompt()).text);
  return texts;
}

test("CC-12 a memoized section is computed once and keeps its value", async () => {
  const { own, seen } = counting({});
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 3)).toEqual(["value 1", "value 1", "value 1"]);
  expect(seen.computed).toBe(1);
  const { sections } = await bed.session.prompt();
  expect(sections[0]?.state).toBe("cached");
});

test("CC-13 a cache-breaking section stands in the prefix, and a reason under 12 characters is refused", async () => {
  const { own } = counting({ cache: { volatile: "the load of the machine", deliver: "prefix" } });
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 2)).toEqual(["value 1", "value 2"]);
  const { regions, context, sections } = await bed.session.prompt();
  expect(regions.map(({ kind }) => kind)).toEqual(["turn"]);
  expect(context).toEqual([]);
  expect(sections[0]?.cache).toEqual({ volatile: "the load of the machine", deliver: "prefix" });
  const lazy = counting({ cache: { volatile: "because", deliver: "prefix" } });
  const refused = await openBed({ plugins: [lazy.own] });
  expect(refused.diagnostics).toEqual([
    expect.objectContaining({ code: "section-invalid", plugin: "own", message: expect.stringContaining('"because"') }),
  ]);
});

test("CC-14 stored values are returned for memoized sections, volatile and unseen ones are computed", async () => {
  const computed: string[] = [];
  let isShown = false;
  const section = (name: string, more: Partial<SectionBody>) => ({
    name,
    slot: "rules",
    cache: "memoized" as const,
    compute: () => {
      computed.push(name);
      return name;
    },
    ...more,
  });
  const own = plugin("own", (host) => {
    host.sections.register(section("own/kept", {}));
    host.sections.register(section("own/fresh", { cache: { volatile: "changes with every turn" } }));
    host.sections.register(section("own/unseen", { when: () => isShown }));
  });
  const bed = await openBed({ plugins: [own] });
  await bed.session.prompt();
  expect(computed.splice(0).sort()).toEqual(["own/fresh", "own/kept"]);
  isShown = true;
  await bed.session.prompt();
  expect(computed.splice(0).sort()).toEqual(["own/fresh", "own/unseen"]);
  await bed.session.prompt();
  expect(computed).toEqual(["own/fresh"]);
});

test("CC-17 a volatile section is computed every turn, and once for all requests of a turn", async () => {
  const { own, seen } = counting({ cache: { volatile: "changes with every turn" } });
  const bed = await openBed({ plugins: [own] });
  for (const turns of [1, 2, 3]) {
    await bed.send();
    expect(seen.computed).toBe(turns);
  }
});

test("another key gives another value, and the key is looked at each turn", async () => {
  let key = "a";
  const { own } = counting({ key: () => key });
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 2)).toEqual(["value 1", "value 1"]);
  key = "b";
  expect(await textsOf(bed, 2)).toEqual(["value 2", "value 2"]);
});

test.for([
  {
    name: "a file that was read",
    look: (context: SectionContext) => context.read("/repo/a.md"),
    touch: (bed: Bed) => bed.files.write("/repo/a.md", "new"),
  },
  {
    name: "a file that was absent",
    look: (context: SectionContext) => context.read("/repo/absent.md"),
    touch: (bed: Bed) => bed.files.write("/repo/absent.md", "now here"),
  },
  {
    name: "a file that went away",
    look: (context: SectionContext) => context.read("/repo/a.md"),
    touch: (bed: Bed) => bed.files.remove("/repo/a.md"),
  },
  {
    name: "a folder that was listed",
    look: async (context: SectionContext) => void (await context.list("/repo/docs")),
    touch: (bed: Bed) => bed.files.write("/repo/docs/new.md", "new"),
  },
])("a change of $name gives another value", async ({ look, touch }) => {
  const { own, seen } = counting({
    compute: async (context) => {
      await look(context);
      return `value ${seen.computed}`;
    },
  });
  const bed = await openBed({ plugins: [own], files: { "/repo/a.md": "old", "/repo/docs/old.md": "x" } });
  expect(await textsOf(bed, 2)).toEqual(["value 1", "value 1"]);
  touch(bed);
  expect(await textsOf(bed, 2)).toEqual(["value 2", "value 2"]);
  bed.files.write("/elsewhere", "of no interest");
  expect(await textsOf(bed, 1)).toEqual(["value 2"]);
});

test("a change of an environment variable that was read gives another value", async () => {
  const env: Record<string, string> = { EDITOR: "vi" };
  const { own } = counting({ compute: (context) => `edits with ${context.env("EDITOR")}` });
  const bed = await openBed({ plugins: [own], env });
  expect(await textsOf(bed, 1)).toEqual(["edits with vi"]);
  env["EDITOR"] = "ed";
  env["OTHER"] = "x";
  expect(await textsOf(bed, 1)).toEqual(["edits with ed"]);
});

test("a file read untracked does not refresh the value", async () => {
  const { own } = counting({ compute: (context) => context.read("/repo/a.md", { track: false }) });
  const bed = await openBed({ plugins: [own], files: { "/repo/a.md": "old" } });
  await bed.session.prompt();
  bed.files.write("/repo/a.md", "new");
  expect(await textsOf(bed, 1)).toEqual(["old"]);
});

test.for(["the host", "the plugin"])("invalidation by %s drops the value in every session", async (who) => {
  let invalidate = (_section: string, _why: string): void => {};
  const { own } = counting({});
  const other = plugin("other", (host) => {
    invalidate = host.invalidate;
  });
  const bed = await openBed({ plugins: [own, other] });
  const second = await bed.host.open({ cwd: "/repo" });
  expect([...(await textsOf(bed, 1)), (await second.prompt()).text]).toEqual(["value 1", "value 2"]);
  (who === "the host" ? bed.host.invalidate : invalidate)("own/it", "a test");
  expect([...(await textsOf(bed, 1)), (await second.prompt()).text]).toEqual(["value 3", "value 4"]);
});

test("clearing the session starts its values afresh", async () => {
  const { own } = counting({});
  const bed = await openBed({ plugins: [own] });
  await bed.send();
  await bed.session.clear();
  expect(bed.session.messages).toEqual([]);
  expect(await textsOf(bed, 1)).toEqual(["value 2"]);
});

test("a global section shares its value between sessions, any other keeps one per session", async () => {
  for (const [scope, want] of [
    ["global", ["value 1", "value 1"]],
    ["session", ["value 1", "value 2"]],
  ] as const) {
    const { own } = counting({ scope });
    const bed = await openBed({ plugins: [own] });
    const other = await bed.host.open({ cwd: "/elsewhere" });
    expect([...(await textsOf(bed, 1)), (await other.prompt()).text]).toEqual(want);
  }
});

test("the condition is looked at each turn, also for a memoized section", async () => {
  let isOn = true;
  const { own, seen } = counting({ when: () => isOn });
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 1)).toEqual(["value 1"]);
  isOn = false;
  const off = await bed.session.prompt();
  expect(off.text).toBe("");
  expect(off.leftOut).toEqual([{ section: "own/it", why: "condition" }]);
  isOn = true;
  expect(await textsOf(bed, 1)).toEqual(["value 1"]);
  expect(seen.computed).toBe(1);
});

test("a failure is not memoized: the next turn tries again", async () => {
  const { own, seen } = counting({
    compute: () => {
      if (seen.computed === 1) throw new Error("not yet");
      return "there";
    },
  });
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 3)).toEqual(["", "there", "there"]);
  expect(seen.computed).toBe(2);
});

test("that there is nothing to say is a value as well", async () => {
  let computed = 0;
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      compute() {
        computed += 1;
        return null;
      },
    }),
  );
  const bed = await openBed({ plugins: [own] });
  await textsOf(bed, 2);
  expect(computed).toBe(1);
  expect((await bed.session.prompt()).leftOut).toEqual([{ section: "own/it", why: "empty" }]);
});

test("sections are computed side by side, and their results land in order", async () => {
  const waiting: (() => void)[] = [];
  const section = (name: string) => ({
    name,
    slot: "rules",
    cache: "memoized" as const,
    compute: () =>
      new Promise<string>((resolve) => {
        waiting.unshift(() => resolve(name));
        // Only when all three wait, the last one first, does any go on.
        if (waiting.length === 3) for (const go of waiting) go();
      }),
  });
  const own = plugin("own", (host) => {
    for (const name of ["own/c", "own/a", "own/b"]) host.sections.register(section(name));
  });
  const bed = await openBed({ plugins: [own] });
  expect(await textsOf(bed, 1)).toEqual(["own/a\n\nown/b\n\nown/c"]);
});

test("what a preview computed serves the turn, and a view for a subagent does not disturb it", async () => {
  const { own } = counting({});
  const bed = await openBed({ plugins: [own] });
  await bed.session.prompt();
  await bed.session.prompt({ audience: "subagent" });
  await bed.send();
  expect(bed.provider.requests[0]?.system.text).toBe("value 1");
});

test("a value invalidated while it is computed is not kept", async () => {
  let value = "old";
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      async compute() {
        const seen = value;
        await gate;
        return seen;
      },
    }),
  );
  const bed = await openBed({ plugins: [own] });
  const first = bed.session.prompt();
  await new Promise((resolve) => setImmediate(resolve));
  value = "new";
  bed.host.invalidate("own/it", "the value changed");
  go();
  await first;
  expect((await bed.session.prompt()).text).toBe("new");
});
