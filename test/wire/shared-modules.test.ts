import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = (plugin: string) => path.resolve(import.meta.dirname, `../../plugins/${plugin}`);

/** Plugins import no other plugin: what both need alike stands in both, and is one text. */
test("the modules that both vendors' plugins need alike are the same in both", () => {
  const sources = (plugin: string) =>
    Object.fromEntries(
      ["wire", "network"]
        .flatMap((part) => readdirSync(path.join(folder(plugin), part)).map((file) => `${part}/${file}`))
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => [file, readFileSync(path.join(folder(plugin), file), "utf8")]),
    );
  expect(Object.keys(sources("provider-openai")).length).toBeGreaterThan(5);
  expect(sources("provider-anthropic")).toEqual(sources("provider-openai"));
});
