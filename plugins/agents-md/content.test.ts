import path from "node:path";
import { expect, test } from "vitest";
import { folderWith, open, texts } from "./fixtures/real-folder.js";

test("IO-35 leaves out the newlines at the end of each file, when asked", async () => {
  const root = await folderWith({ "AGENTS.md": "root \r\n\n\n", "a/AGENTS.md": "near" });
  const { session } = await open({ root, cwd: path.join(root, "a"), options: { trim_end: true, intro: "" } });
  expect((await session.prompt()).text).toBe("root \n\nnear");
});

test("cuts one file at its own budget, between two characters, with a marker and a report", async () => {
  const root = await folderWith({ "AGENTS.md": "ä".repeat(5_000), "a/AGENTS.md": "near" });
  const options = { file_budget: 1024, file_marker: "(cut at {budget})", intro: "" };
  const { host, session } = await open({ root, cwd: path.join(root, "a"), options });
  const { text } = await session.prompt();
  expect(text).toMatch(/^ä+\n\(cut at 1024\)\n\nnear$/);
  expect(Buffer.byteLength(text.split("\n\nnear")[0] ?? "")).toBeGreaterThan(1020);
  expect(Buffer.byteLength(text.split("\n\nnear")[0] ?? "")).toBeLessThanOrEqual(1024);
  expect(host.diagnostics).toMatchObject([
    { code: "instruction-file-cut", at: { file: path.join(root, "AGENTS.md") } },
  ]);
});

test("IO-38 caps the chain, the first files kept, and IO-41 marks the cut with the rule set's own words", async () => {
  const root = await folderWith({ "AGENTS.md": "r".repeat(900), "a/AGENTS.md": "n".repeat(900) });
  const options = { budget: 1024, keep: "first", marker: "<!-- cut -->", intro: "" };
  const { text } = await (await open({ root, cwd: path.join(root, "a"), options })).session.prompt();
  expect(text).toMatch(/^r{900}\n\nn+\n<!-- cut -->$/);
  expect(Buffer.byteLength(text)).toBe(1024);
});

test("PI-46 takes in all of it when there is no budget, however much it is", async () => {
  const root = await folderWith({ "AGENTS.md": "x".repeat(1_000_000), "a/AGENTS.md": "near" });
  const { host, session } = await open({ root, cwd: path.join(root, "a"), options: { budget: false } });
  expect((await texts(session)).map(({ length }) => length)).toEqual([1_000_000, 4]);
  expect(host.diagnostics).toEqual([]);
});

test("keeps the nearest file whole when the chain is larger than any section", async () => {
  const folders = Array.from({ length: 6 }, (_, index) => Array.from({ length: index + 1 }, () => "d").join("/"));
  const files = Object.fromEntries(folders.map((folder) => [`${folder}/AGENTS.md`, "x".repeat(1_000_000)]));
  const root = await folderWith(files);
  const { session } = await open({ root, cwd: path.join(root, folders.at(-1) ?? ""), options: { budget: false } });
  const prompt = await session.prompt();
  expect(prompt.diagnostics.map(({ code }) => code)).toEqual(["section-cut"]);
  expect((await texts(session)).at(-1)).toHaveLength(1_000_000);
});

test("MG-34 says what the rule set says when there is no file, and nothing by default", async () => {
  const root = await folderWith();
  expect((await (await open({ root })).session.prompt()).text).toBe("");
  const options = { missing: "There is none.", intro: "Files:" };
  expect((await (await open({ root, options })).session.prompt()).text).toBe("There is none.");
});

test("a rule set has its own words before the files", async () => {
  const root = await folderWith({ "AGENTS.md": "x" });
  expect((await (await open({ root, options: { intro: "Files:" } })).session.prompt()).text).toBe("Files:\n\nx");
});
