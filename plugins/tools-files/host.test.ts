import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Block } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import toolsFiles from "./index.js";
import { folderWith } from "./tool-context.fixture.js";

test("a turn finds, reads, edits and writes real files through the host", async () => {
  const cwd = await folderWith({ "src/port.ts": "export const port = 80;\n" });
  const call = (name: string, args: Readonly<Record<string, unknown>>) => ({ toolCalls: [{ name, args }] });
  const provider = fakeProvider({
    replies: [
      call("grep", { pattern: "port =" }),
      call("read", { path: "src/port.ts" }),
      call("edit", { path: "src/port.ts", old_string: "80", new_string: "8080" }),
      call("write", { path: "NOTES.md", content: "done\n" }),
      call("ls", {}),
      call("find", { pattern: "*.ts" }),
      call("read", { path: "src/prot.ts" }),
      call("read", { path: "src/port.ts", offset: 0 }),
      "finished",
    ],
  });
  const host = await createTestHost({ plugins: [toolsFiles], provider, allowAll: true, place: { cwd } });
  const { text } = await host.session.send("change the port", AbortSignal.timeout(20_000)).result;
  const results = host.session.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool-result" ? [[block.isError, textOf(block.content)]] : [])),
  );
  await host.dispose();
  expect(text).toBe("finished");
  expect(results).toEqual([
    [false, "src/port.ts:1: export const port = 80;"],
    [false, "1 | export const port = 80;"],
    [false, "Changed src/port.ts in 1 place:\n    1 - export const port = 80;\n    1 + export const port = 8080;"],
    [false, "Created NOTES.md: 1 line, 5 bytes"],
    [false, "NOTES.md (5 bytes)\nsrc/"],
    [false, "src/port.ts"],
    [true, expect.stringContaining(`Did you mean ${join(cwd, "src/port.ts")}?`)],
    [true, expect.stringContaining("offset")],
  ]);
  expect(await readFile(join(cwd, "src/port.ts"), "utf8")).toBe("export const port = 8080;\n");
});

test("every tool declares a schema with described arguments, a description and a one-line snippet", async () => {
  const provider = fakeProvider({ replies: ["ok"] });
  const host = await createTestHost({ plugins: [toolsFiles], provider });
  await host.session.send("hi", AbortSignal.timeout(20_000)).result;
  const declared = provider.requests[0]?.tools ?? [];
  expect(declared.map(({ name, input }) => [name, Object.keys(input["properties"] ?? {})])).toEqual([
    ["edit", ["path", "old_string", "new_string", "replace_all"]],
    ["find", ["pattern", "path"]],
    ["grep", ["pattern", "path", "glob"]],
    ["ls", ["path"]],
    ["read", ["path", "offset", "limit"]],
    ["write", ["path", "content"]],
  ]);
  for (const { input } of declared) {
    for (const property of Object.values(input["properties"] ?? {})) expect(property).toHaveProperty("description");
  }
  for (const { spec } of host.tools) {
    expect(spec.description.length).toBeGreaterThan(80);
    expect(spec.snippet).toMatch(/^[^\n]{10,80}$/);
  }
  expect(host.tools.map(({ fullName, spec }) => `${fullName} ${spec.effect}`).sort()).toEqual([
    "tools-files/edit write",
    "tools-files/find read",
    "tools-files/grep read",
    "tools-files/ls read",
    "tools-files/read read",
    "tools-files/write write",
  ]);
  await host.dispose();
});

function textOf(blocks: readonly Block[]): string {
  return blocks.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("");
}
