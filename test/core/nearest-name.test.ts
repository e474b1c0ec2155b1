import { expect, test } from "vitest";
import type { Diagnostic, Layout, PluginHost } from "@quire/core";
import { QuireError } from "@quire/core";
import type { OpenOptions } from "@quire/core/host";
import { load, openBed, plugin, resultsOf, textOf } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, createScriptedProvider } from "../support/scripted-provider.js";

async function reportOf(setup: (host: PluginHost) => void): Promise<Diagnostic | undefined> {
  const bed = await openBed({ plugins: [plugin("own", setup)] });
  return bed.host.diagnostics.find((found) => found.level === "error");
}

async function refusal(run: () => Promise<unknown>): Promise<Diagnostic> {
  try {
    await run();
  } catch (error) {
    if (QuireError.is(error)) return error.diagnostic;
    throw error;
  }
  throw new Error("nothing was refused");
}

test("an unknown hook names the nearest one", async () => {
  const found = await reportOf((host) => {
    (host.hooks as unknown as Record<string, { tap(fn: () => void): void }>)["beforeToolCal"]?.tap(() => {});
  });
  expect(found).toMatchObject({ code: "hook-unknown", plugin: "own", fix: 'Did you mean "beforeToolCall"?' });
});

test.for(["other/it", "it", "own/Not-Kebab", "own/", "own/a/b"])(
  "a section named %s is refused with the form that is wanted",
  async (name) => {
    const found = await reportOf((host) =>
      host.sections.register({ name, slot: "rules", cache: "memoized", compute: () => "" }),
    );
    expect(found).toMatchObject({ code: "name-prefix", plugin: "own", fix: expect.stringContaining('"own/') });
  },
);

test("an API version the host does not speak is refused with the one it speaks", async () => {
  const late = { ...plugin("late", () => {}), apiVersion: "^1.99" as const };
  const bed = await openBed({ plugins: [late] });
  expect(bed.host.diagnostics).toEqual([
    expect.objectContaining({
      code: "plugin-api-version",
      plugin: "late",
      message: expect.stringMatching(/\^1\.99.*1\.0/),
      fix: expect.stringContaining("apiVersion to 1"),
    }),
  ]);
});

test.for([
  { open: { model: "scriptd/one" }, near: "scripted" },
  { open: { model: "nobody-like-this/one" }, near: undefined },
] satisfies { open: Partial<OpenOptions>; near: string | undefined }[])(
  "an unknown provider in $open.model lists those there are",
  async ({ open, near }) => {
    const found = await refusal(() => openBed({ open }));
    expect(found).toMatchObject({ code: "model-unknown", fix: expect.stringContaining("scripted") });
    if (near !== undefined) expect(found.fix).toContain(`Did you mean "${near}"?`);
  },
);

test("an unknown layout names the nearest one", async () => {
  const found = await refusal(() => openBed({ config: { layout: "plan" } }));
  expect(found).toMatchObject({ code: "layout-unknown", fix: expect.stringContaining('Did you mean "plain"?') });
});

test("where no layout is left the plugin that brings one is looked for", async () => {
  const bare = plugin("bare", (host) => host.layouts.remove("plain"));
  const found = await refusal(async () => (await openBed({ plugins: [bare] })).session.prompt());
  expect(found).toMatchObject({ code: "layout-unknown", fix: expect.stringMatching(/plugin .* is off or failed/) });
});

test("an unknown tool tells the model the nearest name and all there are", async () => {
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/read"));
    host.tools.register(recordingTool("own/write"));
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["raed"])] });
  expect(await bed.send()).toMatchObject({ stop: "end" });
  expect(textOf(resultsOf(bed.session.messages)[0])).toBe(
    'There is no tool "raed". Did you mean "read"? Tools: read, write.',
  );
});

test("an edit of an unknown layout, provider or tool names the nearest one", async () => {
  const layout = (name: string): Layout => ({ name, slots: [], render: () => [] });
  const bed = await openBed({
    plugins: [
      plugin("own", (host) => {
        host.tools.register(recordingTool("own/read"));
        host.tools.remove("own/reed");
        host.layouts.replace("plane", layout("plane"));
        host.providers.remove("scriptet");
      }),
    ],
  });
  expect(bed.host.diagnostics.map(({ code, fix }) => [code, fix])).toEqual(
    expect.arrayContaining([
      ["name-unknown", 'Did you mean "own/read"?'],
      ["name-unknown", 'Did you mean "plain"?'],
      ["name-unknown", 'Did you mean "scripted"?'],
    ]),
  );
});

test("a plugin that needs an unknown one is offered the nearest", async () => {
  const bed = await openBed({
    plugins: [load(plugin("helper", () => {})), { ...plugin("needy", () => {}), needs: ["helpr"] }],
  });
  expect(bed.host.diagnostics).toEqual([
    expect.objectContaining({ code: "plugin-needs", fix: expect.stringContaining('Did you mean "helper"?') }),
  ]);
});

const malformed: readonly { name: string; body: object; fix: string }[] = [
  { name: "no cache tag", body: { compute: () => "" }, fix: 'cache to "memoized"' },
  { name: "no compute", body: { cache: "memoized" }, fix: "Add compute" },
  {
    name: "an unknown delivery",
    body: { cache: { volatile: "changes with every turn", deliver: "late" }, compute: () => "" },
    fix: "delta, tail or prefix",
  },
];

test.for(malformed)("a section with $name is refused with what is wanted", async ({ body, fix }) => {
  const found = await reportOf((host) => host.sections.register({ name: "own/it", slot: "rules", ...body } as never));
  expect(found).toMatchObject({ code: "section-invalid", section: "own/it", fix: expect.stringContaining(fix) });
});

test("a registry that is closed says so", async () => {
  let kept: PluginHost | undefined;
  await openBed({ plugins: [plugin("own", (host) => void (kept = host))] });
  const late = await refusal(async () => kept?.sections.replace("own/x", "late"));
  expect(late).toMatchObject({ code: "registry-closed", plugin: "own", fix: expect.stringContaining("setup") });
});

test("options that do not fit are told by path, and the plugin is left out", async () => {
  const strict = {
    ...plugin("strict", () => {}),
    options: {
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: () => ({ issues: [{ message: "expected a number", path: ["limit", { key: "max" }] }] }),
      },
    },
  };
  const bed = await openBed({ plugins: [strict] });
  expect(bed.host.diagnostics).toEqual([
    expect.objectContaining({
      code: "options-invalid",
      message: expect.stringContaining("limit.max: expected a number"),
      fix: 'Correct them in config, in the options of "strict"',
    }),
  ]);
  expect(bed.host.plugins.map(({ name }) => name)).toEqual(["bed"]);
});

test("a provider that cannot say whether it is available is passed over and named", async () => {
  const broken = plugin("broken", (host) =>
    host.providers.register({
      ...createScriptedProvider([], "broken"),
      available() {
        throw new Error("no idea");
      },
    }),
  );
  const bed = await openBed({ plugins: [{ ...broken, before: ["bed"] }] });
  expect(bed.session.model.provider).toBe("scripted");
  expect(bed.diagnostics).toContainEqual(expect.objectContaining({ plugin: "broken" }));
});

test("an unknown group and an unplaced slot name the nearest valid one", async () => {
  const own = plugin("own", (host) => {
    host.sections.register({ name: "own/a", slot: "rulez", group: "basics", cache: "memoized", compute: () => "a" });
    host.sections.replaceGroup("basic", "x");
  });
  const bed = await openBed({ plugins: [own] });
  const prompt = await bed.session.prompt();
  expect(prompt.diagnostics.map(({ fix }) => fix)).toEqual([
    expect.stringContaining('Did you mean "basics"?'),
    expect.stringContaining('Did you mean "rules"?'),
  ]);
  expect(prompt.edits).toContainEqual(expect.objectContaining({ section: "basic", won: false }));
});
