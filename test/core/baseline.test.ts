import { expect, test } from "vitest";
import type { ContextItem, Message } from "@quire/core";
import { type Bed, openBed, plugin } from "../support/core-bed.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { plainLayout } from "../support/plain-layout.js";
import { createMemoryLog } from "../support/memory-log.js";
import { calls, createScriptedProvider, says } from "../support/scripted-provider.js";

const rules = Array.from({ length: 40 }, (_, index) => `Rule ${index}: a line that says how things are done here.`);

/** One section from a file, one that needs none, one that is volatile. */
const house = plugin("house", (host) => {
  host.sections.register({ name: "house/name", slot: "identity", cache: "memoized", compute: () => "You are Q." });
  host.sections.register({
    name: "house/rules",
    slot: "rules",
    cache: "memoized",
    compute: (context) => context.read("/repo/RULES.md"),
  });
  host.sections.register({
    name: "house/mood",
    slot: "session",
    cache: { volatile: "moods change every turn" },
    compute: (context) => context.read("/repo/MOOD.md"),
  });
});

function told(messages: readonly Message[]): readonly (readonly ContextItem[])[] {
  return messages.flatMap(({ context }) => (context === undefined ? [] : [context]));
}

function systems(bed: Bed): readonly string[] {
  return bed.provider.requests.map(({ system }) => system.text);
}

test("an edited file costs one context message of the lines that changed, and the prefix stands still", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": rules.join("\n") });
  const bed = await openBed({ plugins: [house], files });
  await bed.send("1");
  files.write("/repo/RULES.md", rules.with(7, "Rule 7: now it is another line.").join("\n"));
  await bed.send("2");
  await bed.send("3");
  expect(new Set(systems(bed)).size).toBe(1);
  const items = told(bed.session.messages).flat();
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ section: "house/rules", op: "edit", cause: "changed" });
  expect(items[0]?.content).toEqual({
    kind: "text",
    text: ["@@ -7,3 +7,3 @@", ` ${rules[6]}`, `-${rules[7]}`, "+Rule 7: now it is another line.", ` ${rules[8]}`].join(
      "\n",
    ),
  });
});

test("there and back before a send is nothing, and what leaves is named", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": "A", "/repo/MOOD.md": "calm" });
  const bed = await openBed({ plugins: [house], files });
  await bed.send("1");
  files.write("/repo/RULES.md", "B");
  files.write("/repo/RULES.md", "A");
  await bed.send("2");
  expect(told(bed.session.messages)).toHaveLength(1);
  files.remove("/repo/RULES.md");
  files.remove("/repo/MOOD.md");
  await bed.send("3");
  const last = told(bed.session.messages).at(-1);
  expect(last?.map(({ section, op }) => [section, op])).toEqual([
    ["house/rules", "remove"],
    ["house/mood", "remove"],
  ]);
  expect(new Set(systems(bed)).size).toBe(1);
});

test("what changes inside a turn is told at the next request, after the results", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  const writer = plugin("writer", (host) =>
    host.tools.register({
      name: "writer/change",
      description: "changes the rules",
      effect: "read",
      input: { type: "object" },
      execute: () => {
        files.write("/repo/RULES.md", "B");
        return "changed";
      },
    }),
  );
  const provider = createScriptedProvider([calls(["change"]), says("done")]);
  const bed = await openBed({ plugins: [house, writer], files, provider });
  await bed.send("go");
  expect(bed.session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "context", "assistant"]);
  expect(provider.requests[1]?.messages.at(-1)?.context?.[0]).toMatchObject({ section: "house/rules", op: "replace" });
  expect(provider.requests[1]?.system).toEqual(provider.requests[0]?.system);
});

test("a warm resume keeps the old bytes and tells the difference, a cold one makes a new prefix", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  const log = createMemoryLog();
  let now = new Date("2026-01-02T12:00:00Z");
  const options = { plugins: [house], files, log, now: () => now };
  const first = await openBed(options);
  await first.send("1");
  const id = first.session.info.id;
  const text = systems(first)[0];
  files.write("/repo/RULES.md", "B");

  now = new Date("2026-01-02T12:04:00Z");
  const warm = await openBed({ ...options, open: { resume: id } });
  await warm.send("2");
  expect(systems(warm)).toEqual([text]);
  expect(told(warm.session.messages).flat()).toMatchObject([{ section: "house/rules", op: "replace" }]);

  now = new Date("2026-01-02T13:00:00Z");
  const cold = await openBed({ ...options, open: { resume: id } });
  const preview = await cold.session.prompt({ message: "3" });
  expect(preview.baseline).toMatchObject({ cause: "idle", isNew: true });
  await cold.send("3");
  expect(systems(cold)[0]).toContain("B");
  expect(told(cold.session.messages).flat()).toHaveLength(1);
});

test("a note that an older prefix needed is corrected when a newer prefix says otherwise", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  let now = new Date("2026-01-02T12:00:00Z");
  const bed = await openBed({ plugins: [house], files, now: () => now });
  await bed.send("1");
  files.write("/repo/RULES.md", "B");
  await bed.send("2");
  files.write("/repo/RULES.md", "C");
  now = new Date("2026-01-02T15:00:00Z");
  await bed.send("3");
  expect(systems(bed).at(-1)).toContain("C");
  expect(
    told(bed.session.messages)
      .flat()
      .map(({ content }) => content),
  ).toEqual([
    { kind: "text", text: "B" },
    { kind: "text", text: "C" },
  ]);
});

test("clear, another model and rebase make a new prefix; each is in the log once", async () => {
  const log = createMemoryLog();
  const other = plugin("other", (host) => host.providers.register(createScriptedProvider([], "other")));
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  const bed = await openBed({ plugins: [house, other], files, log });
  await bed.send("1");
  await bed.send("2");
  files.write("/repo/RULES.md", "B");
  await bed.session.rebase();
  await bed.send("3");
  await bed.session.clear();
  await bed.send("4");
  await bed.session.setModel("other/one");
  await bed.send("5");
  const records = log.records.map(({ record }) => record).filter((record) => record["type"] === "baseline");
  expect(records.map((record) => (record["baseline"] as { cause: string }).cause)).toEqual([
    "start",
    "rebase",
    "clear",
    "model",
  ]);
  expect(bed.codes()).not.toContain("cache-bust");
});

test("under a rebuilt prefix a change stands in place and its price is named", async () => {
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  const bed = await openBed({ plugins: [house], files, config: { prompt: { prefix: "rebuilt" } } });
  await bed.send("1");
  await bed.send("2");
  files.write("/repo/RULES.md", "B");
  await bed.send("3");
  expect(new Set(systems(bed)).size).toBe(2);
  expect(told(bed.session.messages)).toEqual([]);
  const found = bed.diagnostics.filter(({ code }) => code === "cache-break");
  expect(found).toEqual([expect.objectContaining({ section: "house/rules", plugin: "house" })]);
  expect(bed.codes()).not.toContain("cache-bust");
});

test("a cache-breaking section changes the prefix itself, and the price is named", async () => {
  let load = 1;
  const loud = plugin("loud", (host) =>
    host.sections.register({
      name: "loud/load",
      slot: "session",
      cache: { volatile: "the load of the machine", deliver: "prefix" },
      compute: () => `load ${load}`,
    }),
  );
  const bed = await openBed({ plugins: [house, loud], files: { "/repo/RULES.md": "A" } });
  await bed.send("1");
  load = 2;
  await bed.send("2");
  expect(systems(bed).at(-1)).toContain("load 2");
  expect(bed.diagnostics).toContainEqual(expect.objectContaining({ code: "cache-break", plugin: "loud" }));
});

test.for([
  {
    name: "shuffled tools",
    tap: (count: number) => ({ tools: (list: readonly unknown[]) => (count % 2 === 0 ? list : list.toReversed()) }),
    says: { message: expect.stringContaining('Tool "a"') as string, plugin: "meddler" },
  },
  {
    name: "a clock in the system text",
    tap: (count: number) => ({
      system: (text: string) => text.replace("Q", String(count)),
    }),
    says: { message: expect.stringContaining("byte 8") as string, section: "house/name", plugin: "meddler" },
  },
  {
    name: "a rewritten history",
    tap: (count: number) => ({ first: (text: string) => `${text} (${count})` }),
    says: { message: expect.stringContaining("Message 0 of the history (user)") as string, plugin: "meddler" },
  },
])("the guard names $name", async ({ tap, says: expected }) => {
  let count = 0;
  const tools = plugin("tools", (host) => {
    for (const name of ["a", "b"]) {
      host.tools.register({
        name: `tools/${name}`,
        description: name,
        effect: "read",
        input: { type: "object" },
        execute: () => "",
      });
    }
  });
  const meddler = plugin("meddler", (host) =>
    host.hooks.beforeProviderRequest.tap((request) => {
      const change: {
        tools?: (list: readonly unknown[]) => readonly unknown[];
        system?: (text: string) => string;
        first?: (text: string) => string;
      } = tap(++count);
      const [first, ...rest] = request.messages;
      return {
        ...request,
        tools: (change.tools?.(request.tools) ?? request.tools) as typeof request.tools,
        system: { ...request.system, text: change.system?.(request.system.text) ?? request.system.text },
        messages:
          change.first === undefined || first === undefined
            ? request.messages
            : [{ ...first, content: [{ type: "text" as const, text: change.first("hello") }] }, ...rest],
      };
    }),
  );
  const bed = await openBed({ plugins: [house, tools, meddler], files: { "/repo/RULES.md": "A" } });
  await bed.send("1");
  await bed.send("2");
  const found = bed.diagnostics.filter(({ code }) => code === "cache-bust");
  expect(found).toEqual([expect.objectContaining(expected)]);
});

test("a log that ends at any write loses no note and repeats at most one", async () => {
  const whole = createMemoryLog();
  const files = () => createMemoryFiles({ "/repo/RULES.md": "A", "/repo/MOOD.md": "calm" });
  const run = async (log: typeof whole, id?: string) => {
    const own = files();
    const bed = await openBed({
      plugins: [house],
      files: own,
      log,
      ...(id === undefined ? {} : { open: { resume: id } }),
    });
    await bed.send("1");
    own.write("/repo/RULES.md", "B");
    await bed.send("2");
    return bed;
  };
  const finished = await run(whole);
  const id = finished.session.info.id;
  for (let length = 1; length <= whole.records.length; length++) {
    const cut = createMemoryLog(whole.records.slice(0, length));
    const own = files();
    own.write("/repo/RULES.md", "B");
    const bed = await openBed({ plugins: [house], files: own, log: cut, open: { resume: id } });
    await bed.send("3");
    const items = told(bed.session.messages).flat();
    const system = systems(bed).at(-1) ?? "";
    const notes = items.filter(({ section }) => section === "house/rules");
    expect(notes.length + (system.includes("B") ? 1 : 0)).toBeGreaterThanOrEqual(1);
    expect(notes.length).toBeLessThanOrEqual(1);
    expect(items.filter(({ section }) => section === "house/mood").length).toBe(1);
  }
});

test.for([
  { name: "the layout renders as nothing", config: {} },
  { name: "the prompt has no room for", config: { prompt: { max_tokens: 40 } } },
])("what $name is told nowhere", async ({ config }) => {
  const secret = plugin("secret", (host) =>
    host.sections.register({
      name: "secret/text",
      slot: "rules",
      cache: "memoized",
      priority: -1,
      compute: () => "unseen ".repeat(99),
    }),
  );
  const layout = {
    ...plainLayout,
    render: ((section, p, view) =>
      section.name === "secret/text" && !("prompt" in config)
        ? []
        : plainLayout.render(section, p, view)) satisfies typeof plainLayout.render,
  };
  const bed = await openBed({ plugins: [house, secret], layout, config: { layout: layout.name, ...config } });
  await bed.send("1");
  await bed.send("2");
  expect(JSON.stringify(bed.provider.requests)).not.toContain("unseen");
  expect(systems(bed)[1]).toContain("You are Q.");
});
