import { expect, test } from "vitest";
import type { SectionContext } from "@quire/core";
import { createMemoryFiles } from "../support/memory-files.js";
import { openBed, plugin } from "../support/core-bed.js";

/** What a section sees: the prompt is what `look` returns. */
async function seenBy(look: (context: SectionContext) => Promise<unknown>, files = createMemoryFiles()) {
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      compute: async (context) => JSON.stringify(await look(context)),
    }),
  );
  const bed = await openBed({ plugins: [own], files, now: () => new Date(2024, 1, 3, 23, 59) });
  const prompt = await bed.session.prompt();
  return { prompt, seen: prompt.text === "" ? undefined : (JSON.parse(prompt.text) as unknown) };
}

test("a section sees the place, the local date and the model, and no other clock", async () => {
  const { seen } = await seenBy(({ cwd, projectRoot, home, quireHome, trusted, platform, shell, today, model }) =>
    Promise.resolve({ cwd, projectRoot, home, quireHome, trusted, platform, shell, today, model }),
  );
  expect(seen).toEqual({
    cwd: "/repo",
    projectRoot: "/repo",
    home: "/home/ada",
    quireHome: "/home/ada/.quire",
    trusted: true,
    platform: "linux (x64)",
    shell: "bash",
    today: "2024-02-03",
    model: { provider: "scripted", id: "one" },
  });
});

test.for([
  { text: "\uFEFFwith mark\r\n", maxBytes: undefined, want: "\uFEFFwith mark\r\n" },
  { text: "日本語", maxBytes: 7, want: "日本" },
  { text: "日本語", maxBytes: 6, want: "日本" },
  { text: "😀", maxBytes: 3, want: "" },
  { text: "abc", maxBytes: 10, want: "abc" },
])("reads $text, at most $maxBytes bytes, as $want", async ({ text, maxBytes, want }) => {
  const files = createMemoryFiles({ "/a.md": text });
  const { seen } = await seenBy((place) => place.read("/a.md", maxBytes === undefined ? {} : { maxBytes }), files);
  expect(seen).toBe(want);
});

test("an absent file or folder is null, a folder's entries are sorted and marked", async () => {
  const files = createMemoryFiles({ "/d/b.md": "", "/d/a/x.md": "", "/d/B.md": "" });
  const { seen } = await seenBy(
    async (place) => [await place.read("/none"), await place.list("/none"), await place.list("/d")],
    files,
  );
  expect(seen).toEqual([null, null, ["B.md", "a/", "b.md"]]);
});

test("a file that is not UTF-8 fails the section, and the report names the file", async () => {
  const files = createMemoryFiles();
  files.write("/bad.md", Uint8Array.of(0x61, 0xff, 0x62));
  const { prompt } = await seenBy((place) => place.read("/bad.md"), files);
  expect(prompt.text).toBe("");
  expect(prompt.diagnostics).toEqual([
    expect.objectContaining({
      code: "file-not-utf8",
      plugin: "own",
      section: "own/it",
      at: { kind: "file", file: "/bad.md" },
      fix: "Save it as UTF-8",
    }),
  ]);
});

test("a replacement's file that is missing is reported with its path, and the section is left out", async () => {
  const bed = await openBed({
    plugins: [
      plugin("own", (host) => {
        host.sections.register({ name: "own/it", slot: "rules", cache: "memoized", compute: () => "text" });
        host.sections.replace("own/it", { file: "/texts/absent.md" });
      }),
    ],
  });
  const prompt = await bed.session.prompt();
  expect(prompt.leftOut).toEqual([{ section: "own/it", why: "failed" }]);
  expect(prompt.diagnostics).toEqual([
    expect.objectContaining({ code: "section-file-missing", message: expect.stringContaining("/texts/absent.md") }),
  ]);
  bed.files.write("/texts/absent.md", "now here\n");
  expect((await bed.session.prompt()).text).toBe("now here");
});

test("a plugin's store keeps values by plugin and by session", async () => {
  const kept: unknown[] = [];
  const storing = (name: string) =>
    plugin(name, (host) =>
      host.hooks.sessionStart.tap(async ({ session }) => {
        kept.push([name, await host.store.user.get("count"), await host.store.session(session.id).get("count")]);
        await host.store.user.set("count", name);
        await host.store.session(session.id).set("count", session.id.length);
      }),
    );
  const bed = await openBed({ plugins: [storing("first"), storing("second")] });
  await bed.host.open({ cwd: "/repo" });
  expect(kept).toEqual([
    ["first", undefined, undefined],
    ["second", undefined, undefined],
    ["first", "first", undefined],
    ["second", "second", undefined],
  ]);
});
