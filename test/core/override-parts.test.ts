import { expect, test } from "vitest";
import type { PluginDefinition, PluginHost, SectionContent } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import { load, openBed, plugin, textSection } from "../support/core-bed.js";
import { taggedLayout } from "../support/plain-layout.js";

const base = plugin("base", (host) => {
  for (const [name, slot] of [
    ["base/identity", "identity"],
    ["base/manners", "rules"],
    ["base/rules", "rules"],
  ] as const) {
    host.sections.register({ name, slot, group: "base", cache: "memoized", compute: () => `<${name}>` });
  }
});

async function promptOf(
  setup: (host: PluginHost) => void,
  edits: readonly HostEdit[] = [],
  more: PluginDefinition[] = [],
) {
  const bed = await openBed({ plugins: [base, ...more, plugin("own", setup)], edits });
  return await bed.session.prompt();
}

test("replacing a group puts the text in its first section and lists the others as gone", async () => {
  const prompt = await promptOf((host) => host.sections.replaceGroup("base", "All of it."));
  expect(prompt.text).toBe("All of it.");
  expect(prompt.sections.map(({ name }) => name)).toEqual(["base/identity"]);
  expect(prompt.leftOut).toEqual([
    { section: "base/manners", why: "disabled" },
    { section: "base/rules", why: "disabled" },
  ]);
  expect(prompt.sections[0]?.origin).toMatchObject({ kind: "plugin", plugin: "own" });
});

test("an empty text for a group leaves neither bytes nor a separator", async () => {
  const edits: HostEdit[] = [
    { layer: "flags", op: "replace-group", section: "base", content: "", by: { kind: "flag" } },
  ];
  const prompt = await promptOf(textSection("own/last", "end", "Last."), edits);
  expect(prompt.text).toBe("Last.");
});

test("what the user puts in a group's place beats what a plugin puts there", async () => {
  const prompt = await promptOf(
    (host) => host.sections.replaceGroup("base", "The plugin's."),
    [{ layer: "flags", op: "replace-group", section: "base", content: "Mine.", by: { kind: "flag" } }],
  );
  expect(prompt.text).toBe("Mine.");
});

test("a section that a patch puts into a group goes with the group", async () => {
  const extra = plugin("extra", textSection("extra/tail", "end", "Extra."));
  const prompt = await promptOf(
    (host) => {
      host.sections.patch("extra/tail", { group: "base" });
      host.sections.replaceGroup("base", "All.");
    },
    [],
    [extra],
  );
  expect(prompt.text).toBe("All.");
});

test("a text appended to a slot is a section of its own, prepended it comes first there", async () => {
  const prompt = await promptOf((host) => {
    host.sections.append({ slot: "rules" }, "Behind.");
    host.sections.prepend({ slot: "rules" }, "Before.", "lead");
  });
  expect(prompt.text).toBe("<base/identity>\n\nBefore.\n\n<base/manners>\n\n<base/rules>\n\nBehind.");
  expect(prompt.sections.map(({ name }) => name)).toEqual([
    "base/identity",
    "own/lead",
    "base/manners",
    "base/rules",
    "own/append-1",
  ]);
});

const contents: readonly { kind: string; content: SectionContent; body: string }[] = [
  { kind: "text", content: { kind: "text", text: "Body." }, body: "Body." },
  { kind: "facts", content: { kind: "facts", facts: [["a", "1"]] }, body: "a: 1" },
  { kind: "items", content: { kind: "items", items: [{ id: "i", text: "Item." }] }, body: "Item." },
];

test.for(contents)(
  "appended and prepended texts stand inside the markup of $kind, each with its author",
  async (row) => {
    const owner = plugin("owner", (host) =>
      host.sections.register({ name: "owner/it", slot: "end", cache: "memoized", compute: () => row.content }),
    );
    const guest = plugin("guest", (host) => {
      host.sections.append({ section: "owner/it" }, "After.");
      host.sections.prepend({ section: "owner/it" }, "Before.");
    });
    const bed = await openBed({ plugins: [owner, guest], layout: taggedLayout });
    const { text, pieces } = await bed.session.prompt();
    expect(text).toBe(`<owner_it>\nBefore.\n\n${row.body}\n\nAfter.\n</owner_it>`);
    const authors = pieces.map((piece) => [piece.text, piece.from.plugin, piece.section]);
    expect(authors).toContainEqual(["Before.", "guest", "owner/it"]);
    expect(authors).toContainEqual([row.body, "owner", "owner/it"]);
    expect(authors).toContainEqual(["After.", "guest", "owner/it"]);
  },
);

test("a layout that renders items by hand and forgets the appended text does not lose it", async () => {
  const bed = await openBed({
    layout: { ...taggedLayout, render: (_section, p) => p`(by hand)` },
    plugins: [
      plugin("owner", textSection("owner/it", "end", "Body.")),
      plugin("guest", (host) => host.sections.append({ section: "owner/it" }, "After.")),
    ],
  });
  const { text, pieces } = await bed.session.prompt();
  expect(text).toBe("(by hand)\n\nAfter.");
  expect(pieces.at(-1)).toMatchObject({ from: { plugin: "guest" }, section: "owner/it" });
});

test("the user's appended texts stand outside the plugins' own, in the order of the layers", async () => {
  const edits: HostEdit[] = [
    { layer: "flags", op: "append", section: "base/rules", content: "flag", by: { kind: "flag" } },
    { layer: "user", op: "append", section: "base/rules", content: "user", by: { kind: "config" } },
    { layer: "user", op: "prepend", section: "base/rules", content: "first", by: { kind: "config" } },
    { layer: "user", op: "add", section: "user/notes", slot: "end", content: "notes", by: { kind: "file" } },
  ];
  const prompt = await promptOf((host) => host.sections.append({ section: "base/rules" }, "plugin"), edits);
  expect(prompt.text).toBe(
    "<base/identity>\n\n<base/manners>\n\nfirst\n\n<base/rules>\n\nplugin\n\nuser\n\nflag\n\nnotes",
  );
  expect(prompt.pieces.find((piece) => piece.text === "flag")?.from.kind).toBe("flag");
});

test("a patch moves a section to another slot and sets its relations and budget", async () => {
  const prompt = await promptOf((host) => {
    host.sections.patch("base/identity", { slot: "rules", after: ["base/rules"] });
    host.sections.patch("base/manners", { budget: { maxBytes: 5, overflow: "cut" } });
  });
  expect(prompt.text).toBe("<base\n\n<base/rules>\n\n<base/identity>");
});

test("a replacement keeps slot, group, relations, budget and audience unless it sets them", async () => {
  const owner = plugin("owner", (host) => {
    host.sections.register({
      name: "owner/a",
      slot: "rules",
      group: "base",
      before: ["base/manners"],
      audience: ["main"],
      budget: { maxBytes: 4, overflow: "cut" },
      cache: "memoized",
      compute: () => "old",
    });
  });
  const replacing = (host: PluginHost) => host.sections.replace("owner/a", "new text");
  const prompt = await promptOf(replacing, [], [owner]);
  expect(prompt.text).toBe("<base/identity>\n\n<base/rules>\n\nnew \n\n<base/manners>");
  const bed = await openBed({ plugins: [base, owner, plugin("own", replacing)] });
  const forSubagent = await bed.session.prompt({ audience: "subagent" });
  expect(forSubagent.leftOut).toEqual([{ section: "owner/a", why: "audience" }]);
  const asGroup = await promptOf(
    (host) => {
      replacing(host);
      host.sections.replaceGroup("base", "All");
    },
    [],
    [owner],
  );
  expect(asGroup.text).toBe("All");
});

test("a file stands relative to the plugin's own file, and its bytes answer with file and plugin", async () => {
  const own = load(
    plugin("own", (host) => host.sections.replace("base/rules", { file: "./texts/rules.md" })),
    { file: "/plugins/own/index.ts" },
  );
  const bed = await openBed({ plugins: [base, own], files: { "/plugins/own/texts/rules.md": "From a file.\n" } });
  const { text, pieces } = await bed.session.prompt();
  expect(text).toContain("From a file.");
  expect(pieces.find((piece) => piece.text.includes("From a file."))?.from).toMatchObject({
    plugin: "own",
    file: "/plugins/own/texts/rules.md",
  });
});

test("a removed section is listed as disabled, and what was put inside it goes with it", async () => {
  const prompt = await promptOf((host) => {
    host.sections.append({ section: "base/rules" }, "inside");
    host.sections.remove("base/rules", "too long");
  });
  expect(prompt.text).toBe("<base/identity>\n\n<base/manners>");
  expect(prompt.leftOut).toEqual([{ section: "base/rules", why: "disabled" }]);
  expect(prompt.edits.find(({ op }) => op === "append")).toMatchObject({ won: false });
});

test("which section of a group takes the text does not depend on the order of registration", async () => {
  const names = async (order: readonly string[]) => {
    const own = plugin("own", (host) => {
      for (const name of order)
        host.sections.register({ name, slot: "rules", group: "g", cache: "memoized", compute: () => name });
      host.sections.replaceGroup("g", "All.");
    });
    return (await (await openBed({ plugins: [own] })).session.prompt()).sections.map(({ name }) => name);
  };
  expect(await names(["own/b", "own/a"])).toEqual(await names(["own/a", "own/b"]));
});

test("another author's text inside a section, or a wrap, takes away its promise of equal bytes for everyone", async () => {
  const shared = { cache: "memoized", scope: "global" } as const;
  const owner = plugin("owner", (host) => {
    host.sections.register({ ...shared, name: "owner/it", slot: "rules", compute: () => "It." });
    host.sections.append({ section: "owner/it" }, "The owner's own.");
  });
  const scopeWith = async (setup: (host: PluginHost) => void, edits: readonly HostEdit[] = []) => {
    const { sections } = await promptOf(setup, edits, [owner]);
    return sections.find(({ name }) => name === "owner/it")?.scope;
  };
  const byProject: HostEdit = {
    layer: "project",
    op: "append",
    section: "owner/it",
    content: "project",
    by: { kind: "file", file: "/repo/.quire/sections/owner/it.md" },
  };
  expect(await scopeWith(() => undefined)).toBe("global");
  expect(await scopeWith(() => undefined, [byProject])).toBe("session");
  expect(await scopeWith(() => undefined, [{ ...byProject, op: "prepend" }])).toBe("session");
  expect(await scopeWith((host) => host.sections.append({ section: "owner/it" }, "guest"))).toBe("session");
  expect(await scopeWith((host) => host.sections.wrap("owner/it", (was) => was))).toBe("session");
  const promised = { ...shared, compute: () => "the same everywhere" };
  expect(await scopeWith((host) => host.sections.append({ section: "owner/it" }, promised))).toBe("global");
});
