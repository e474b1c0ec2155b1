import { definePlugin, type PluginDefinition } from "@quire/core";
import { expect, test } from "vitest";
import type { Builtin } from "../contract.js";
import { builtin, tempHome } from "../testing/temp-home.js";

function presets(imported: string[]): readonly Builtin[] {
  const preset = (name: string): Builtin => ({
    name: `preset-${name}`,
    configKeys: [],
    load: () => {
      imported.push(name);
      const definition = definePlugin({
        name: `preset-${name}`,
        apiVersion: 1,
        preset: {
          summary: `like ${name}`,
          layout: name,
          config: {
            prompt: { prefix: "rebuilt" },
            disable: ["memory"],
            permissions: { mode: "full" },
            plugins: { skills: { options: { roots: [name], limit: 1 } } },
            sections: { "base/rules": `Rules of ${name}.`, "base/tools": false },
          },
        },
        setup: () => {},
      });
      return Promise.resolve(definition as PluginDefinition);
    },
  });
  const plain = ["base", "memory", "skills"].map((name) => builtin(name));
  return [...plain, builtin("permissions", ["permissions"]), preset("pi"), preset("iota")];
}

test("no preset is imported unless it is chosen", async () => {
  const imported: string[] = [];
  const loaded = await (await tempHome()).load({ config: { preset: "quire" } }, { builtins: presets(imported) });
  expect(imported).toEqual([]);
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base", "memory", "skills", "permissions"]);
  expect(loaded.config.scopes.map(({ scope }) => scope)).toEqual(["defaults", "flags"]);
});

test("the chosen preset is a scope between the defaults and the user, and a layer of edits", async () => {
  const imported: string[] = [];
  const place = await tempHome({
    "home/.quire/config.yaml": `preset: pi\npermissions: { mode: ask }\nplugins: { skills: { options: { limit: 2 } } }\n`,
  });
  const loaded = await place.load({}, { builtins: presets(imported) });
  expect(new Set(imported)).toEqual(new Set(["pi"]));
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base", "skills", "permissions", "preset-pi"]);
  expect(loaded.host.config).toMatchObject({
    preset: "pi",
    layout: "pi",
    prompt: { prefix: "rebuilt" },
    permissions: { mode: "ask" },
    plugins: { skills: { options: { roots: ["pi"], limit: 2 } } },
  });
  const by = { kind: "plugin", plugin: "preset-pi" };
  expect(loaded.host.edits).toEqual([
    { layer: "preset", by, op: "replace", section: "base/rules", content: "Rules of pi." },
    { layer: "preset", by, op: "remove", section: "base/tools", why: "config removes it" },
  ]);
  expect(loaded.config.origin("prompt.prefix")).toEqual({ kind: "plugin", plugin: "preset-pi" });
});

test("a flag chooses above config, and the user's own disable replaces the preset's", async () => {
  const imported: string[] = [];
  const place = await tempHome({ "home/.quire/config.yaml": "preset: pi\ndisable: []\n" });
  const loaded = await place.load({ config: { preset: "iota" } }, { builtins: presets(imported) });
  expect(new Set(imported)).toEqual(new Set(["iota"]));
  expect(loaded.host.plugins.map(({ name }) => name)).toContain("memory");
});

test("an unknown preset is told with those that are there", async () => {
  const place = await tempHome();
  await expect(place.load({ config: { preset: "itoa" } }, { builtins: presets([]) })).rejects.toMatchObject({
    diagnostic: { code: "preset-unknown", fix: "Did you mean iota? There are: quire, pi, iota" },
  });
});
