import { expect, test } from "vitest";
import type { PluginDefinition } from "@quire/core";
import type { HostEdit, LoadedPlugin } from "@quire/core/host";
import { load, openBed, plugin, textSection } from "../support/core-bed.js";

const base = plugin("base", textSection("base/identity", "identity", "You are Q."));

function replacing(name: string, text: string, tier: LoadedPlugin["tier"] = "installed"): LoadedPlugin {
  return load(
    plugin(name, (host) => host.sections.replace("base/identity", text)),
    { tier },
  );
}

function edit(layer: HostEdit["layer"], op: HostEdit["op"], more: Partial<HostEdit> = {}): HostEdit {
  return { layer, op, section: "base/identity", by: { kind: "config", file: `/${layer}.yaml`, line: 3 }, ...more };
}

async function judge(plugins: readonly (PluginDefinition | LoadedPlugin)[], edits: readonly HostEdit[] = []) {
  const bed = await openBed({ plugins: [base, ...plugins], edits });
  const prompt = await bed.session.prompt();
  return { ...bed, prompt, codes: bed.host.diagnostics.map(({ code }) => code) };
}

test("of two sections with one name the first in order stays, and the report advises to replace", async () => {
  const second = plugin("base-two", (host) => {
    host.sections.register({ name: "base-two/x", slot: "rules", cache: "memoized", compute: () => "first" });
    host.sections.register({ name: "base-two/x", slot: "rules", cache: "memoized", compute: () => "second" });
  });
  const { prompt, host } = await judge([second]);
  expect(prompt.text).toBe("You are Q.\n\nfirst");
  expect(host.diagnostics).toEqual([
    expect.objectContaining({
      code: "section-duplicate",
      level: "error",
      plugin: "base-two",
      section: "base-two/x",
      fix: expect.stringContaining("sections.replace"),
    }),
  ]);
});

test("of two replacements in one layer the later wins, and both are named with the line that pins one", async () => {
  const { prompt, host } = await judge([replacing("one", "I am one."), replacing("two", "I am two.")]);
  expect(prompt.text).toBe("I am two.");
  expect(host.diagnostics).toEqual([
    expect.objectContaining({ code: "section-conflict", level: "warn", plugin: "two", section: "base/identity" }),
  ]);
  const [conflict] = host.diagnostics;
  expect(conflict?.message).toMatch(/"one".*"two"/);
  expect(conflict?.fix).toContain('sections: { "base/identity": { use: "two" } }');
  expect(prompt.edits).toEqual([
    expect.objectContaining({ by: { kind: "plugin", plugin: "one" }, won: false, why: expect.stringContaining("two") }),
    expect.objectContaining({ by: { kind: "plugin", plugin: "two" }, won: true }),
  ]);
});

test("a replacement and a removal in one layer conflict, and the later wins", async () => {
  const removing = plugin("removing", (host) => host.sections.remove("base/identity", "not wanted"));
  const removedLast = await judge([replacing("one", "I am one."), removing]);
  expect(removedLast.prompt.text).toBe("");
  expect(removedLast.codes).toEqual(["section-conflict"]);
  expect(removedLast.prompt.leftOut).toEqual([{ section: "base/identity", why: "disabled" }]);
  const replacedLast = await judge([removing, replacing("one", "I am one.")]);
  expect(replacedLast.prompt.text).toBe("I am one.");
  expect(replacedLast.codes).toEqual(["section-conflict"]);
});

test.for([
  { low: "preset", high: "plugin" },
  { low: "plugin", high: "user" },
  { low: "user", high: "project" },
  { low: "project", high: "flags" },
  { low: "flags", high: "session" },
] as const)("the layer $high beats $low, and nothing is reported", async ({ low, high }) => {
  const plugins = [low, high].includes("plugin") ? [replacing("one", "plugin")] : [];
  // The higher one comes first, so that only the layer can decide.
  const edits = [high, low].flatMap((layer) =>
    layer === "plugin" ? [] : [edit(layer, "replace", { content: layer })],
  );
  const { prompt, codes } = await judge(plugins, edits);
  expect(prompt.text).toBe(high);
  expect(codes).toEqual([]);
  expect(Object.fromEntries(prompt.edits.map(({ layer, won }) => [layer, won]))).toEqual({
    [low]: false,
    [high]: true,
  });
});

test("a plugin given as a flag edits in the layer of the flags, above config", async () => {
  const { prompt, codes } = await judge(
    [replacing("tried", "I am tried.", "flags"), replacing("one", "I am one.")],
    [edit("project", "replace", { content: "project" })],
  );
  expect(prompt.text).toBe("I am tried.");
  expect(codes).toEqual([]);
  expect(prompt.edits.find(({ won }) => won)?.layer).toBe("flags");
});

test("an edit of an unknown section has no effect, and the nearest name is offered", async () => {
  const stray = plugin("stray", (host) => {
    host.sections.replace("base/identiti", "x");
    host.sections.append({ section: "base/nothing-like-it-at-all" }, "y");
  });
  const { prompt, host } = await judge([stray], [edit("user", "remove", { section: "base/idenity" })]);
  expect(prompt.text).toBe("You are Q.");
  const found = host.diagnostics.map(({ code, level, section, fix }) => ({ code, level, section, fix }));
  expect(found).toEqual([
    { code: "section-dangling", level: "warn", section: "base/identiti", fix: 'Did you mean "base/identity"?' },
    {
      code: "section-dangling",
      level: "info",
      section: "base/nothing-like-it-at-all",
      fix: expect.stringContaining("agent sections list"),
    },
    { code: "section-dangling", level: "warn", section: "base/idenity", fix: 'Did you mean "base/identity"?' },
  ]);
  expect(prompt.edits.every(({ won }) => !won)).toBe(true);
});

test("several wraps apply from the inside out, by layer and then in order", async () => {
  const wrapping = (name: string, mark: string, tier: LoadedPlugin["tier"] = "installed") =>
    load(
      plugin(name, (host) =>
        host.sections.wrap("base/identity", (previous) =>
          previous.kind === "text" ? `${mark}(${previous.text})` : previous,
        ),
      ),
      { tier },
    );
  const { prompt, codes } = await judge([wrapping("flag", "f", "flags"), wrapping("one", "1"), wrapping("two", "2")]);
  expect(prompt.text).toBe("f(2(1(You are Q.)))");
  expect(codes).toEqual([]);
});

test("a wrap from a layer below the winning replacement is dropped and reported, in the same layer it applies", async () => {
  const wrap = plugin("wrap", (host) =>
    host.sections.wrap("base/identity", (previous) => (previous.kind === "text" ? `[${previous.text}]` : previous)),
  );
  const same = await judge([wrap, replacing("one", "I am one.")]);
  expect(same.prompt.text).toBe("[I am one.]");
  expect(same.codes).toEqual([]);
  const below = await judge([wrap], [edit("user", "replace", { content: "mine" })]);
  expect(below.prompt.text).toBe("mine");
  expect(below.host.diagnostics).toEqual([
    expect.objectContaining({ code: "wrap-shadowed", plugin: "wrap", section: "base/identity" }),
  ]);
  expect(below.prompt.edits.find(({ op }) => op === "wrap")).toMatchObject({ won: false });
});

test("a pin decides between plugins, and the conflict goes quiet", async () => {
  const rivals = [replacing("one", "I am one."), replacing("two", "I am two.")];
  const { prompt, codes } = await judge(rivals, [edit("user", "pin", { plugin: "one" })]);
  expect(prompt.text).toBe("I am one.");
  expect(codes).toEqual([]);
  expect(prompt.edits.find(({ by }) => by.plugin === "two")).toMatchObject({ won: false, why: '"one" is pinned' });
});

test("a user's pin beats the project's replacement", async () => {
  const { prompt, codes } = await judge(
    [replacing("one", "I am one."), replacing("two", "I am two.")],
    [edit("user", "pin", { plugin: "one" }), edit("project", "replace", { content: "project" })],
  );
  expect(prompt.text).toBe("I am one.");
  expect(codes).toEqual([]);
});

test.for(["replace", "remove"] as const)("a flag's %s beats a pin", async (op) => {
  const { prompt } = await judge(
    [replacing("one", "I am one.")],
    [edit("user", "pin", { plugin: "one" }), edit("flags", op, op === "replace" ? { content: "flag" } : {})],
  );
  expect(prompt.text).toBe(op === "replace" ? "flag" : "");
});

test("a pin to a plugin that does not replace the section is reported and changes nothing", async () => {
  const { prompt, codes } = await judge([replacing("one", "I am one.")], [edit("user", "pin", { plugin: "absent" })]);
  expect(prompt.text).toBe("I am one.");
  expect(codes).toEqual(["pin-without-effect"]);
});

test("a replacement may turn a memoized section volatile, and says so with its reason", async () => {
  const downgrade = plugin("moody", (host) =>
    host.sections.replace("base/identity", {
      cache: { volatile: "the mood changes every turn", deliver: "prefix" },
      compute: () => "In a mood.",
    }),
  );
  const { prompt, host } = await judge([downgrade]);
  expect(prompt.text).toBe("In a mood.");
  expect(host.diagnostics).toEqual([
    expect.objectContaining({
      code: "cache-downgrade",
      plugin: "moody",
      section: "base/identity",
      message: expect.stringContaining("the mood changes every turn"),
    }),
  ]);
});

test("a volatile section with the scope global is an error, and the scope is ignored", async () => {
  const wrong = plugin("wrong", (host) =>
    host.sections.register({
      name: "wrong/now",
      slot: "rules",
      cache: { volatile: "it changes with every turn", deliver: "prefix" },
      scope: "global",
      compute: () => "now",
    }),
  );
  const { prompt, host } = await judge([wrong]);
  expect(host.diagnostics).toEqual([
    expect.objectContaining({ code: "scope-volatile", level: "error", plugin: "wrong", section: "wrong/now" }),
  ]);
  expect(prompt.sections.find(({ name }) => name === "wrong/now")?.scope).toBe("session");
});

test("a pin to the section's own plugin keeps the original", async () => {
  const bed = await openBed({
    plugins: [
      plugin("base", textSection("base/identity", "identity", "You are Q.")),
      load(plugin("one", (host) => host.sections.replace("base/identity", "I am one."))),
    ],
    edits: [{ layer: "user", op: "pin", section: "base/identity", plugin: "base", by: { kind: "config" } }],
  });
  expect((await bed.session.prompt()).text).toBe("You are Q.");
});
