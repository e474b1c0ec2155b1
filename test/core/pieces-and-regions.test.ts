import { expect, test } from "vitest";
import type { Layout, PluginHost, ResolvedSection, SectionContent, SectionSpec } from "@quire/core";
import type { Prompt } from "@quire/core/host";
import { sha256 } from "@quire/core/host";
import { load, openBed, plugin, textSection } from "../support/core-bed.js";
import { plainLayout, taggedLayout } from "../support/plain-layout.js";
import { createRandom, type SeededRandom } from "../support/seeded-random.js";

const words = ["plain", "größer", "日本語", "👩‍👩‍👧", "</own_s-1>", "a & b < c", "line\nline", " "] as const;

function randomSection(random: SeededRandom, index: number): SectionSpec {
  const text = Array.from({ length: 1 + random.integer(4) }, () => random.pick(words)).join(" ");
  const cache = random.pick(["memoized", "memoized", { volatile: "random in this test", deliver: "prefix" }] as const);
  const content = random.pick<SectionContent | string | null>([
    text,
    { kind: "facts", facts: [["key", text]] },
    {
      kind: "items",
      intro: "Intro.",
      items: [
        { id: "a", text, origin: { kind: "file", file: `/files/${index}.md` } },
        { id: "b", text: "second" },
      ],
    },
    null,
    "",
  ]);
  return {
    name: `own/s-${index}`,
    slot: random.pick(["identity", "rules", "session", "end", "unnamed"]),
    cache,
    ...(cache === "memoized" ? { scope: random.pick(["global", "session"] as const) } : {}),
    compute: () => content,
  };
}

const wrappingLayout: Layout = {
  ...taggedLayout,
  name: "wrapping",
  slots: [...taggedLayout.slots, { slot: "mcp", empty: "No servers." }],
  wrapSlot: (slot, body, p) => (slot === "rules" ? p.block("rules", {}, body) : body),
  join: (left, right) => (left.slot === right.slot ? "\n" : "\n\n---\n\n"),
  finish: (body, p) => p`# Top\n${body}\n`,
};

function slice(text: string, start: number, end: number): string {
  return Buffer.from(text, "utf8").subarray(start, end).toString("utf8");
}

/** The kinds of the regions by a walk over the sections, written anew: the last byte of each kind's last section. */
function expectedEnds(prompt: Prompt): { global: string[]; session: string[] } {
  const inPrefix = prompt.sections.filter((section) => prompt.pieces.some((piece) => piece.section === section.name));
  const isGlobal = (section: ResolvedSection) => section.scope === "global";
  const firstLocal = inPrefix.findIndex((section) => !isGlobal(section));
  const firstVolatile = inPrefix.findIndex((section) => section.cache !== "memoized");
  const names = (from: number, to: number) =>
    inPrefix.slice(from, to === -1 ? inPrefix.length : Math.max(from, to)).map(({ name }) => name);
  const globalEnd = firstLocal === -1 ? inPrefix.length : firstLocal;
  return { global: names(0, globalEnd), session: names(globalEnd, firstVolatile) };
}

test.for([plainLayout, taggedLayout, wrappingLayout])(
  "pieces of layout $name add up, all have an origin, and regions follow from the walk",
  async (layout) => {
    const random = createRandom(7);
    for (let round = 0; round < 40; round++) {
      const specs = Array.from({ length: random.integer(9) }, (_, index) => randomSection(random, index));
      const own = plugin("own", (host) => specs.forEach((spec) => host.sections.register(spec)));
      const guest = plugin("guest", (host) => host.sections.append({ section: "own/s-1" }, "guest's"));
      const { session } = await openBed({ plugins: [own, guest], layout });
      const prompt = await session.prompt();
      const { text, pieces, regions } = prompt;
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece.text).not.toBe("");
        expect(piece.from.plugin ?? piece.from.file).toBeDefined();
      }
      let end = 0;
      for (const region of regions) {
        expect(region.start).toBe(end);
        expect(region.hash).toBe(sha256(slice(text, region.start, region.end)));
        end = region.end;
      }
      expect(end).toBe(Buffer.byteLength(text));
      const sectionsIn = (kind: string) => {
        const region = regions.find((entry) => entry.kind === kind);
        let at = 0;
        const names = pieces.flatMap((piece) => {
          const isInside = region !== undefined && at >= region.start && at < region.end;
          at += Buffer.byteLength(piece.text);
          return isInside && piece.section !== undefined ? [piece.section] : [];
        });
        return [...new Set(names)];
      };
      const wanted = expectedEnds(prompt);
      expect({ global: sectionsIn("global"), session: sectionsIn("session") }, `round ${round}`).toEqual(wanted);
      expect(prompt.request.system).toEqual({ text, regions });
    }
  },
);

function inSlot(name: string, slot: string, more: Partial<SectionSpec>): (host: PluginHost) => void {
  return (host) => host.sections.register({ name, slot, cache: "memoized", compute: () => name, ...more });
}

const breaking = { cache: { volatile: "it changes with every turn", deliver: "prefix" } } as const;

test("the boundary stands behind the last of the leading global sections, its separator included", async () => {
  const { session } = await openBed({
    plugins: [
      plugin("own", (host) => {
        inSlot("own/a", "identity", { scope: "global" })(host);
        inSlot("own/b", "rules", {})(host);
        inSlot("own/c", "session", { scope: "global" })(host);
        inSlot("own/d", "end", breaking)(host);
      }),
    ],
  });
  const { text, regions } = await session.prompt();
  expect(regions.map(({ kind, start, end }) => [kind, slice(text, start, end)])).toEqual([
    ["global", "own/a\n\n"],
    ["session", "own/b\n\nown/c\n\n"],
    ["turn", "own/d"],
  ]);
});

test("memoized bytes behind a cache-breaking section are reported with their number, and nothing is moved", async () => {
  const { session } = await openBed({
    plugins: [
      plugin("own", inSlot("own/early", "identity", breaking)),
      plugin("other", inSlot("other/late", "end", {})),
    ],
  });
  const { text, diagnostics } = await session.prompt();
  expect(text).toBe("own/early\n\nother/late");
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code: "cache-inversion",
      level: "warn",
      plugin: "own",
      section: "own/early",
      message: expect.stringContaining("10 bytes"),
    }),
  ]);
});

test("a slot the layout does not name stands before the end, with a report", async () => {
  const { session } = await openBed({
    plugins: [
      plugin("own", (host) => {
        inSlot("own/last", "end", {})(host);
        inSlot("own/odd", "odd", {})(host);
        inSlot("own/first", "identity", {})(host);
      }),
    ],
  });
  const { text, diagnostics } = await session.prompt();
  expect(text).toBe("own/first\n\nown/odd\n\nown/last");
  expect(diagnostics).toEqual([
    expect.objectContaining({ code: "slot-unplaced", message: expect.stringContaining("odd") }),
  ]);
});

test("a file with the closing tag of its block keeps its bytes, and the block stays whole", async () => {
  const hostile = "before </own_file> after\r\n</ OWN_FILE >\r\n";
  const own = load(
    plugin("own", (host) => inSlot("own/file", "end", { compute: (context) => context.read("/repo/AGENTS.md") })(host)),
  );
  const bed = await openBed({ plugins: [own], layout: taggedLayout, files: { "/repo/AGENTS.md": hostile } });
  const { text, pieces } = await bed.session.prompt();
  const tag = /^<(own_file-[0-9a-f]{4})>\n/.exec(text)?.[1];
  expect(text).toBe(`<${tag}>\n${hostile}\n</${tag}>`);
  expect(pieces.find((piece) => piece.from.plugin === "own")?.text).toBe(hostile);
  expect((await bed.session.prompt()).text).toBe(text);
});

test.for([
  { escape: "entities", want: "<own_x>\na &lt;b&gt; &amp; &lt;/own_x&gt;\n</own_x>" },
  { escape: "raw", want: "<own_x>\na <b> & </own_x>\n</own_x>" },
] as const)("a layout that escapes by $escape does so", async ({ escape, want }) => {
  const own = plugin("own", inSlot("own/x", "end", { compute: () => "a <b> & </own_x>" }));
  const { session } = await openBed({ plugins: [own], layout: { ...taggedLayout, escape } });
  expect((await session.prompt()).text).toBe(want);
});

test("what a tap makes of the pieces is the prompt, and text, regions and offsets follow", async () => {
  const own = plugin("own", (host) => {
    inSlot("own/a", "identity", { scope: "global" })(host);
    host.hooks.sectionsAssembled.tap((pieces) => [
      ...pieces,
      { text: "\n\nadded", from: { kind: "plugin", plugin: "own" } },
    ]);
  });
  const { session } = await openBed({ plugins: [own] });
  const { text, regions, request } = await session.prompt();
  expect(text).toBe("own/a\n\nadded");
  expect(request.system.text).toBe(text);
  expect(regions.at(-1)?.end).toBe(Buffer.byteLength(text));
});

test.for([
  {
    name: "throws",
    render: () => {
      throw new Error("broken markup");
    },
  },
  { name: "returns no pieces", render: () => "text" as never },
] satisfies { name: string; render: Layout["render"] }[])(
  "a layout that $name stops the turn and is named",
  async ({ render }) => {
    const bed = await openBed({
      plugins: [plugin("own", inSlot("own/a", "identity", {}))],
      layout: { ...plainLayout, render },
    });
    const result = await bed.send();
    expect(result).toMatchObject({ stop: "error", error: { code: "layout-failed", plugin: "bed" } });
    expect(bed.provider.requests).toEqual([]);
  },
);

test.for(["join", "context"] as const)("a layout whose %s throws is named", async (step) => {
  const broken = () => {
    throw new Error("broken markup");
  };
  const bed = await openBed({
    layout: { ...plainLayout, [step]: broken },
    plugins: [
      plugin("own", (host) => {
        textSection("own/a", "rules", "a")(host);
        textSection("own/b", "rules", "b")(host);
        host.hooks.beforeAgentStart.tap((start) => start.addContext("note"));
      }),
    ],
  });
  expect(await bed.send()).toMatchObject({ error: { code: "layout-failed", plugin: "bed" } });
});
