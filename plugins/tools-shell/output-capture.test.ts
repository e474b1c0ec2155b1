import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { maxOutputLength, OutputCapture } from "./output-capture.js";
import { newFolder } from "./tool-context.fixture.js";

async function capture(chunks: readonly Buffer[], maxBytes?: number): Promise<{ text: string; file: string }> {
  const file = join(await newFolder(), "out.log");
  const output = new OutputCapture(() => file, maxBytes);
  for (const chunk of chunks) output.push(chunk);
  return { text: output.finish(), file };
}

test("keeps an output that just fits", async () => {
  const { text } = await capture([Buffer.from("x".repeat(maxOutputLength))]);
  expect(text).toBe("x".repeat(maxOutputLength));
});

test("counts what it leaves out, whatever the size of the pieces", async () => {
  const whole = "😀".repeat(40_000);
  const bytes = Buffer.from(whole);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, index) =>
    bytes.subarray(index * 777, (index + 1) * 777),
  );
  const { text, file } = await capture(pieces);
  const [, lost] = /\[(\d+) characters are left out/.exec(text) ?? [];
  const kept = text.replace(/\n\[.*\]\n/, "");
  expect(kept.length + Number(lost)).toBe(whole.length);
  expect(Buffer.from(text).toString()).toBe(text);
  expect(await readFile(file, "utf8")).toBe(whole);
});

test("stops writing at the file's limit and says so", async () => {
  const { text, file } = await capture([Buffer.alloc(60_000, "a"), Buffer.alloc(60_000, "b")], 70_000);
  expect(text).toContain("it holds only the first 70000 bytes");
  expect((await readFile(file)).length).toBe(70_000);
});

test("goes on without the file when it cannot be written", async () => {
  const output = new OutputCapture(() => "/nowhere/at/all.log");
  output.push(Buffer.alloc(60_000, "a"));
  expect(output.finish()).toMatch(/all\.log, but it could not be written: .*ENOENT/);
  const homeless = new OutputCapture(() => {
    throw new Error("no folder");
  });
  homeless.push(Buffer.alloc(60_000, "a"));
  expect(homeless.finish()).toContain("the whole output has no file, but it could not be written: no folder");
});

test("keeps memory small while a command floods", async () => {
  const file = join(await newFolder(), "out.log");
  const output = new OutputCapture(() => file, 1_000_000);
  const chunk = Buffer.alloc(64 * 1024, "line of text\n");
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 4000; round++) output.push(chunk);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  expect(output.finish()).toContain("it holds only the first 1000000 bytes");
});
