import type { PluginInfo } from "@quire/core";
import { expect, test } from "vitest";
import { strayError } from "./stray-errors.js";

const plugins: readonly PluginInfo[] = [
  { name: "base", version: "1.0.0", hash: "b".repeat(64), tier: "builtin" },
  { name: "bad", version: "1.0.0", hash: "a".repeat(64), tier: "flags", file: "/home/u/bad.ts" },
];

function withStack(frame: string): Error {
  return Object.assign(new Error("boom"), { stack: `Error: boom\n    at f (${frame}:3:7)\n    at node:timers:1:1` });
}

test.for([`file:///cache/plugins/${"a".repeat(64)}.mjs`, "/home/u/bad.ts"])("names the plugin of %s", (frame) => {
  expect(strayError(withStack(frame), plugins)).toMatchObject({
    code: "plugin-stray-error",
    plugin: "bad",
    at: { file: "/home/u/bad.ts" },
    message: expect.stringContaining("boom"),
  });
});

test("claims no error that no loaded plugin's file stands in", () => {
  expect(strayError(withStack("/quire/dist/bundle/pack.cjs"), plugins)).toBeUndefined();
  expect(strayError("thrown text", plugins)).toBeUndefined();
});
