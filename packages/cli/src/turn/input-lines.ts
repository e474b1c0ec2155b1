import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Diagnostic } from "@quire/core";

/** One line of `--input-format stream-json`: a prompt, or what is wrong with the line. */
export type InputLine =
  { readonly kind: "prompt"; readonly text: string } | { readonly kind: "bad"; readonly diagnostic: Diagnostic };

/** Prompts as they arrive, one `{ "type": "user", "text": … }` a line; blank lines are skipped. */
export async function* readInputLines(input: Readable, signal: AbortSignal): AsyncIterable<InputLine> {
  const lines = createInterface({ input, crlfDelay: Infinity });
  const stop = () => lines.close();
  signal.addEventListener("abort", stop, { once: true });
  let number = 0;
  try {
    for await (const line of lines) {
      number++;
      if (line.trim() !== "") yield parseInputLine(line, number);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    lines.close();
  }
}

/** @param number Of the line, from 1. */
export function parseInputLine(line: string, number: number): InputLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return bad(number, `is no JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "user") {
    return bad(number, `is no object of type "user"`);
  }
  if (!("text" in value) || typeof value.text !== "string" || value.text.trim() === "") {
    return bad(number, `has no text`);
  }
  return { kind: "prompt", text: value.text };
}

function bad(number: number, what: string): InputLine {
  const message = `Line ${number} of the input ${what}`;
  const fix = `Each line is one object: {"type":"user","text":"…"}`;
  return { kind: "bad", diagnostic: { code: "input-invalid", level: "error", message, fix } };
}
