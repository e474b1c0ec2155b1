import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readInputLines, type InputLine } from "./input-lines.js";

async function read(text: string): Promise<readonly InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of readInputLines(Readable.from([text]), new AbortController().signal)) lines.push(line);
  return lines;
}

test("reads one prompt a line, blank lines and CRLF understood", async () => {
  expect(await read('{"type":"user","text":"a"}\r\n\n{"type":"user","text":"b\\nc"}')).toEqual([
    { kind: "prompt", text: "a" },
    { kind: "prompt", text: "b\nc" },
  ]);
});

test("names the line that is no prompt, and reads on", async () => {
  const lines = await read('{"type":"user"\n{"type":"tool"}\n{"type":"user","text":" "}\n{"type":"user","text":"ok"}');
  expect(lines.map((line) => (line.kind === "bad" ? line.diagnostic.message : line.text))).toEqual([
    expect.stringContaining("Line 1 of the input is no JSON"),
    'Line 2 of the input is no object of type "user"',
    "Line 3 of the input has no text",
    "ok",
  ]);
});
