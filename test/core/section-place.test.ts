import { expect, test } from "vitest";
import type { PluginHost, SectionContent, SectionSpec } from "@quire/core";
import { openBed, plugin } from "../support/core-bed.js";
import { plainLayout, taggedLayout } from "../support/plain-layout.js";

function section(name: string, more: Partial<SectionSpec> = {}): SectionSpec {
  return { name, slot: "rules", cache: "memoized", compute: () => name, ...more };
}

async function promptOf(setup: (host: PluginHost) => void, layout = plainLayout) {
  return await (await openBed({ plugins: [plugin("own", setup)], layout })).session.prompt();
}

const registering = (specs: readonly SectionSpec[]) => (host: PluginHost) =>
  specs.forEach((spec) => host.sections.register(spec));

test.for([
  { name: "by name", specs: [section("own/b"), section("own/a")], want: "own/a own/b" },
  { name: "numbers by value", specs: [section("own/s-10"), section("own/s-9")], want: "own/s-9 own/s-10" },
  {
    name: "after a relation",
    specs: [section("own/a", { after: ["own/c"] }), section("own/b"), section("own/c")],
    want: "own/b own/c own/a",
  },
  {
    name: "before a relation",
    specs: [section("own/a"), section("own/b", { before: ["own/a"] })],
    want: "own/b own/a",
  },
  {
    name: "by slot, whatever the relations say",
    specs: [section("own/a", { slot: "end", before: ["own/b"] }), section("own/b", { slot: "identity" })],
    want: "own/b own/a",
  },
  { name: "without an absent relation", specs: [section("own/a", { after: ["none/x"] })], want: "own/a" },
])("sections stand $name", async ({ specs, want }) => {
  const { sections, diagnostics } = await promptOf(registering(specs));
  expect(sections.map(({ name }) => name).join(" ")).toBe(want);
  expect(diagnostics).toEqual([]);
});

test("sections that wait for each other are reported, and the plain order decides", async () => {
  const { text, diagnostics } = await promptOf(
    registering([section("own/b", { after: ["own/a"] }), section("own/a", { after: ["own/b"] })]),
  );
  expect(text).toBe("own/a\n\nown/b");
  expect(diagnostics).toEqual([
    expect.objectContaining({ code: "section-cycle", message: expect.stringMatching(/"own\/a".*"own\/b"/) }),
  ]);
});

test("plugins' sections follow the order of the plugins within a slot", async () => {
  const bed = await openBed({
    plugins: [
      { ...plugin("early", (host) => host.sections.register(section("early/z"))), after: ["late"] },
      plugin("late", (host) => host.sections.register(section("late/a"))),
    ],
  });
  expect((await bed.session.prompt()).text).toBe("late/a\n\nearly/z");
});

const contents: readonly { name: string; content: SectionContent | string | null; want: string }[] = [
  { name: "an empty text", content: "", want: "" },
  { name: "null", content: null, want: "" },
  { name: "no facts", content: { kind: "facts", facts: [] }, want: "" },
  { name: "no items", content: { kind: "items", items: [] }, want: "" },
  { name: "no items, and a text for that", content: { kind: "items", items: [], empty: "None." }, want: "None." },
  {
    name: "facts",
    content: {
      kind: "facts",
      facts: [
        ["a", "1"],
        ["b", "2"],
      ],
    },
    want: "a: 1\nb: 2",
  },
  {
    name: "items behind an intro",
    content: {
      kind: "items",
      intro: "Two:",
      items: [
        { id: "a", text: "A" },
        { id: "b", text: "B" },
      ],
    },
    want: "Two:\n\nA\n\nB",
  },
];

test.for(contents)("a body of $name is what it should be, and nothing leaves no trace", async ({ content, want }) => {
  const prompt = await promptOf(
    registering([section("own/a", { compute: () => content }), section("own/b", { slot: "end" })]),
  );
  expect(prompt.text).toBe(want === "" ? "own/b" : `${want}\n\nown/b`);
  expect(prompt.leftOut).toEqual(want === "" ? [{ section: "own/a", why: "empty" }] : []);
});

test("a slot without sections shows the text its layout has for that, and none otherwise", async () => {
  const layout = {
    ...plainLayout,
    slots: [{ slot: "identity", empty: "Nobody." }, { slot: "rules" }, { slot: "end" }],
  };
  const { text, pieces } = await promptOf(registering([section("own/a")]), layout);
  expect(text).toBe("Nobody.\n\nown/a");
  expect(pieces[0]?.from).toEqual({ kind: "layout", plugin: "bed" });
});

test("a layout knows what else is in the prompt", async () => {
  const { text } = await promptOf(registering([section("own/a"), section("own/b", { slot: "end" })]), {
    ...plainLayout,
    render: (shown, p, view) =>
      p`${shown.name}: ${["own/b", "end", "mcp"].filter((name) => view.has(name)).join(" ")} of ${String(view.sections.length)}`,
  });
  expect(text).toBe("own/a: own/b end of 2\n\nown/b: own/b end of 2");
});

test("attributes of a block are escaped", async () => {
  const { text } = await promptOf(registering([section("own/a", { compute: () => "x" })]), {
    ...taggedLayout,
    render: (shown, p) => p.block("b", { path: 'a "b" <c>\n&' }, p.body(shown)),
  });
  expect(text).toBe('<b path="a &quot;b&quot; &lt;c&gt; &amp;">\nx\n</b>');
});

test.for([
  { who: "a plugin's text", by: "plugin", boundary: "You." },
  { who: "a user's text", by: "user", boundary: undefined },
] as const)("$who in the place of a global section ends in the right region", async ({ by, boundary }) => {
  const base = plugin("base", registering([section("base/a", { scope: "global" })]));
  const other = plugin("other", (host) => by === "plugin" && host.sections.replace("base/a", "You."));
  const bed = await openBed({
    plugins: [base, other],
    edits:
      by === "user"
        ? [{ layer: "user", op: "replace", section: "base/a", content: "You.", by: { kind: "config" } }]
        : [],
  });
  const { text, regions } = await bed.session.prompt();
  expect(text).toBe("You.");
  expect(regions.map(({ kind }) => kind)).toEqual([boundary === undefined ? "session" : "global"]);
});

test("sections for other audiences are left out, and say so", async () => {
  const bed = await openBed({
    plugins: [
      plugin(
        "own",
        registering([
          section("own/all"),
          section("own/main", { audience: ["main"] }),
          section("own/sub", { audience: ["subagent"] }),
          section("own/sum", { audience: ["compaction"] }),
        ]),
      ),
    ],
  });
  const named = async (audience: "main" | "subagent") => {
    const { text, leftOut } = await bed.session.prompt({ audience });
    return [text, leftOut.map(({ section, why }) => `${section} ${why}`)];
  };
  expect(await named("main")).toEqual(["own/all\n\nown/main", ["own/sub audience", "own/sum audience"]]);
  expect(await named("subagent")).toEqual(["own/all\n\nown/sub", ["own/main audience", "own/sum audience"]]);
});
