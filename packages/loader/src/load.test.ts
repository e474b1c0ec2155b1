import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtin, tempHome } from "./testing/temp-home.js";

test("an empty home gives the built-in plugins, the defaults and no edit", async () => {
  const place = await tempHome();
  const loaded = await place.load();
  expect(loaded.host.plugins.map(({ name, tier }) => [name, tier])).toEqual([
    ["base", "builtin"],
    ["permissions", "builtin"],
  ]);
  expect(loaded.config.merged).toEqual({ preset: "quire", layout: "quire", prompt: { prefix: "frozen" } });
  expect(loaded.host.edits).toEqual([]);
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.untrusted).toEqual([]);
  expect(loaded.place).toEqual({
    cwd: place.project,
    projectRoot: place.project,
    home: place.home,
    quireHome: place.quireHome,
    trusted: false,
  });
});

test("QUIRE_HOME moves the user's folder; a relative one counts from where the user types", async () => {
  const place = await tempHome({ "elsewhere/config.yaml": "model: a/b\n" });
  const loaded = await place.load({}, { typedAt: place.root, environment: { QUIRE_HOME: "elsewhere" } });
  expect(loaded.place.quireHome).toBe(join(place.root, "elsewhere"));
  expect(loaded.config.merged["model"]).toBe("a/b");
});

test("a disabled built-in plugin is not imported", async () => {
  const place = await tempHome({ "home/.quire/config.yaml": "disable: [memory]\n" });
  const imported: string[] = [];
  const builtins = [builtin("base", [], imported), builtin("memory", [], imported)];
  const loaded = await place.load({}, { builtins });
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base"]);
  expect(imported).toEqual(["base"]);
});

test("what a flag switches off adds to what config switches off", async () => {
  const place = await tempHome({ "home/.quire/config.yaml": "disable: [memory]\n" });
  const builtins = [builtin("base"), builtin("memory"), builtin("skills")];
  const loaded = await place.load({ config: { disable: ["skills"] } }, { builtins });
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base"]);
});

test("a plugin file given by --plugin loads from any folder and sees the host's core", async () => {
  const place = await tempHome({
    "tools/focus.ts": `import { definePlugin, QuireError } from "@quire/core";
      export default definePlugin({ name: "focus", apiVersion: 1, setup: (host) => host.sections.replace("base/identity", QuireError.name) });`,
  });
  const loaded = await place.load({ plugins: ["tools/focus.ts"] }, { typedAt: place.root });
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.host.plugins.at(-1)).toMatchObject({
    name: "focus",
    tier: "flags",
    version: "0.0.0",
    file: join(place.root, "tools/focus.ts"),
  });
});

test("a folder that may not be read is told without a stack", async () => {
  const place = await tempHome({ "home/.quire/sections": "", "home/.quire/plugins/x.ts": "" });
  await rm(join(place.quireHome, "plugins"), { recursive: true });
  await symlink("plugins", join(place.quireHome, "plugins"));
  await expect(place.load()).rejects.toMatchObject({
    diagnostic: { code: "disk-failed", at: { kind: "file", file: join(place.quireHome, "plugins") } },
  });
});
