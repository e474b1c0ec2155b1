import { expect, test } from "vitest";
import type { Budget, SectionContent, SectionItem } from "@quire/core";
import { estimateTokens } from "@quire/core";
import type { Prompt } from "@quire/core/host";
import { openBed, plugin } from "../support/core-bed.js";
import { createRandom } from "../support/seeded-random.js";

async function promptWith(content: SectionContent | string, budget: Budget): Promise<Prompt> {
  const own = plugin("own", (host) =>
    host.sections.register({ name: "own/it", slot: "rules", cache: "memoized", budget, compute: () => content }),
  );
  return await (await openBed({ plugins: [own] })).session.prompt();
}

const three: readonly SectionItem[] = [
  { id: "far", text: "aaaaaaaa" },
  { id: "mid", text: "bbbb" },
  { id: "near", text: "cccc" },
];

test.for([
  { text: "äöü", keep: "first", maxBytes: 3, want: "ä" },
  { text: "äöü", keep: "last", maxBytes: 3, want: "ü" },
  { text: "日本語", keep: "first", maxBytes: 8, want: "日本" },
  { text: "日本語", keep: "last", maxBytes: 5, want: "語" },
  { text: "x😀y", keep: "first", maxBytes: 4, want: "x" },
  { text: "x😀y", keep: "last", maxBytes: 4, want: "y" },
  { text: "abc", keep: "first", maxBytes: 3, want: "abc" },
] as const)("cuts $text to $maxBytes bytes between characters, keeping the $keep", async (row) => {
  const prompt = await promptWith(row.text, { overflow: "cut", maxBytes: row.maxBytes, keep: row.keep });
  expect(prompt.text).toBe(row.want);
});

test("never leaves half a character and never exceeds the limit, whatever the cut", async () => {
  const random = createRandom(11);
  for (let round = 0; round < 60; round++) {
    const text = Array.from({ length: 1 + random.integer(30) }, () => random.pick(["a", "ß", "漢", "😀", "\n"])).join(
      "",
    );
    const maxBytes = 12 + random.integer(30);
    const keep = random.pick(["first", "last"] as const);
    const marker = random.pick([() => "", ({ bytes }: { bytes: number }) => `[-${bytes}]`]);
    const { text: cut } = await promptWith(text, { overflow: "cut", maxBytes, keep, marker });
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(maxBytes, 0));
    expect(cut).not.toContain("\uFFFD");
    if (Buffer.byteLength(text) <= maxBytes) expect(cut).toBe(text);
  }
});

test.for([
  { keep: "first", want: "abc[11 bytes]", isOwn: [true, false] },
  { keep: "last", want: "[11 bytes]lmn", isOwn: [false, true] },
] as const)("the marker stands at the cut when the $keep is kept, and belongs to the host", async (row) => {
  const marker = ({ bytes }: { bytes: number }) => `[${bytes} bytes]`;
  const budget: Budget = { overflow: "cut", maxBytes: 13, keep: row.keep, marker };
  expect((await promptWith("abcdefghijklm", budget)).text).toBe("abcdefghijklm");
  const cut = await promptWith("abcdefghijklmn", budget);
  expect(cut.text).toBe(row.want);
  expect(cut.pieces.map((piece) => piece.from.plugin === "own" && piece.truncated === true)).toEqual(row.isOwn);
  expect(cut.pieces.find((piece) => piece.truncated !== true)?.from.kind).toBe("host");
});

test("a cut is never silent: the report names the section and what was lost", async () => {
  const prompt = await promptWith("abcdefgh", { overflow: "cut", maxBytes: 5 });
  expect(prompt.diagnostics).toEqual([
    expect.objectContaining({
      code: "section-cut",
      level: "warn",
      section: "own/it",
      message: expect.stringMatching(/8 bytes.*budget is 5.*3 bytes at the end/),
    }),
  ]);
});

test("drop-items leaves out what does not fit, keeps later smaller ones, and counts", async () => {
  const budget: Budget = { overflow: "drop-items", maxBytes: 11 };
  const prompt = await promptWith({ kind: "items", items: three, omitted: 2 }, budget);
  expect(prompt.sections[0]?.content).toEqual({ kind: "items", items: [three[0]], omitted: 4 });
  const smaller = await promptWith({ kind: "items", items: [...three].reverse() }, budget);
  expect(smaller.text).toBe("cccc\n\nbbbb");
  const skipping = await promptWith(
    { kind: "items", items: [{ id: "big", text: "x".repeat(20) }, ...three.slice(1)] },
    budget,
  );
  expect(skipping.text).toBe("bbbb\n\ncccc");
  expect(skipping.diagnostics).toEqual([
    expect.objectContaining({ code: "section-cut", message: expect.stringContaining('"big"') }),
  ]);
});

test("cutting items fills from the kept end; the first that no longer fits keeps its beginning and the marker", async () => {
  const marker = ({ bytes }: { bytes: number }) => `[-${String(bytes).padStart(2, "0")}]`;
  const first = await promptWith(
    { kind: "items", items: three },
    { overflow: "cut", maxBytes: 17, keep: "first", marker },
  );
  expect(first.text).toBe("aaaaaaaa\n\nbb[-06]");
  const last = await promptWith(
    { kind: "items", items: three },
    { overflow: "cut", maxBytes: 17, keep: "last", marker },
  );
  expect(last.text).toBe("[-08]\n\nbbbb\n\ncccc");
});

test("a cut item is marked as truncated and keeps its own origin", async () => {
  const items: SectionItem[] = [{ id: "/a.md", text: "0123456789", origin: { kind: "file", file: "/a.md" } }];
  const prompt = await promptWith({ kind: "items", items }, { overflow: "cut", maxBytes: 6, marker: () => "…" });
  expect(prompt.text).toBe("012…");
  expect(prompt.pieces[0]).toMatchObject({ text: "012", truncated: true, from: { kind: "file", file: "/a.md" } });
});

test("drop leaves the whole section out, with a report", async () => {
  const prompt = await promptWith("abcdef", { overflow: "drop", maxBytes: 5 });
  expect(prompt.text).toBe("");
  expect(prompt.leftOut).toEqual([{ section: "own/it", why: "budget" }]);
  expect(prompt.diagnostics.map(({ code }) => code)).toEqual(["section-cut"]);
});

test("fail makes too long a section an error, and the rest of the prompt goes on", async () => {
  const prompt = await promptWith("abcdef", { overflow: "fail", maxBytes: 5 });
  expect(prompt.leftOut).toEqual([{ section: "own/it", why: "failed" }]);
  expect(prompt.diagnostics).toEqual([
    expect.objectContaining({ code: "budget-exceeded", level: "error", section: "own/it" }),
  ]);
});

test("a marker longer than the budget is a clear error", async () => {
  const prompt = await promptWith("abcdef", { overflow: "cut", maxBytes: 3, marker: () => "[cut]" });
  expect(prompt.text).toBe("");
  expect(prompt.diagnostics).toEqual([
    expect.objectContaining({
      code: "budget-invalid",
      message: expect.stringContaining("3 bytes, but its cut marker alone takes 5"),
      fix: expect.stringContaining("maxBytes to 5"),
    }),
  ]);
});

test("a budget of tokens cuts by the estimate", async () => {
  const text = "word ".repeat(400);
  const prompt = await promptWith(text, { overflow: "cut", maxTokens: 50 });
  expect(estimateTokens(prompt.text)).toBeLessThanOrEqual(51);
  expect(estimateTokens(prompt.text)).toBeGreaterThan(40);
});

const shedding = plugin("own", (host) => {
  for (const [name, priority, required] of [
    ["own/low", 0, false],
    ["own/must", -5, true],
    ["own/mid", 5, false],
    ["own/high", 10, false],
  ] as const) {
    const compute = () => `${name} ${"word ".repeat(40)}`;
    host.sections.register({ name, slot: "rules", cache: "memoized", priority, required, compute });
  }
});

test("over the whole prompt's limit the lowest priority goes first, with a report each", async () => {
  const whole = await (await openBed({ plugins: [shedding] })).session.prompt();
  const part = Math.ceil(estimateTokens(whole.text) / 4);
  const bed = await openBed({ plugins: [shedding], config: { layout: "plain", prompt: { max_tokens: part * 2 + 4 } } });
  const prompt = await bed.session.prompt();
  expect(prompt.sections.map(({ name }) => name)).toEqual(["own/high", "own/must"]);
  expect(prompt.leftOut).toEqual([
    { section: "own/low", why: "budget" },
    { section: "own/mid", why: "budget" },
  ]);
  expect(prompt.diagnostics.map(({ code, section }) => [code, section])).toEqual([
    ["section-shed", "own/low"],
    ["section-shed", "own/mid"],
  ]);
  expect(estimateTokens(prompt.text)).toBeLessThanOrEqual(part * 2 + 4);
});

test("a required section is never shed: the prompt stays too large and says so", async () => {
  const bed = await openBed({ plugins: [shedding], config: { layout: "plain", prompt: { max_tokens: 5 } } });
  const prompt = await bed.session.prompt();
  expect(prompt.sections.map(({ name }) => name)).toEqual(["own/must"]);
  expect(prompt.diagnostics.map(({ code }) => code)).toEqual([
    "section-shed",
    "section-shed",
    "section-shed",
    "prompt-too-large",
  ]);
});

test("cut items stay within the budget, whatever the marker says", async () => {
  const seen: [number, number][] = [];
  for (const maxBytes of [20, 25, 30, 40]) {
    for (const intro of [undefined, "An intro of some length."]) {
      const items = Array.from({ length: 30 }, (_, index) => ({ id: `${index}`, text: "x".repeat(1_000) }));
      const own = plugin("own", (host) =>
        host.sections.register({
          name: "own/it",
          slot: "rules",
          cache: "memoized",
          budget: { overflow: "cut", maxBytes, marker: ({ bytes, items }) => `[${bytes} bytes, ${items}]` },
          compute: () => ({ kind: "items", items, ...(intro === undefined ? {} : { intro }) }),
        }),
      );
      const { text } = await (await openBed({ plugins: [own] })).session.prompt();
      if (Buffer.byteLength(text) > maxBytes) seen.push([maxBytes, Buffer.byteLength(text)]);
    }
  }
  expect(seen).toEqual([]);
});

test("minBytes is a floor when the whole prompt is shortened", async () => {
  const text = "word ".repeat(400);
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      budget: { overflow: "cut", minBytes: 40 },
      compute: () => text,
    }),
  );
  const bed = await openBed({ plugins: [own], config: { layout: "plain", prompt: { max_tokens: 50 } } });
  expect((await bed.session.prompt()).text.startsWith("word word word")).toBe(true);
});

test.for([
  { overflow: "cut" as const },
  { overflow: "drop" as const },
  { overflow: "fail" as const },
  { overflow: "cut" as const, marker: () => "too long a marker" },
  {
    overflow: "cut" as const,
    marker: () => {
      throw new Error("marker broke");
    },
  },
])("what a budget does to a section is reported under its plugin: %o", async (budget) => {
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      budget: { maxBytes: 3, ...budget },
      compute: () => "abcdef",
    }),
  );
  const bed = await openBed({ plugins: [own] });
  const { diagnostics } = await bed.session.prompt();
  expect(diagnostics).toEqual([expect.objectContaining({ plugin: "own", section: "own/it" })]);
});
