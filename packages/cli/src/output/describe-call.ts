import type { ToolResult } from "@quire/core";
import { count } from "./count.js";

const maxLine = 160;

/** A tool call in one line: `> read path=README.md`. */
export function describeCall(name: string, args: unknown): string {
  return clip(`> ${name}${describeArguments(args)}`);
}

/** The first line of a tool's answer, and whether it failed. */
export function describeResult(result: ToolResult): string {
  const text = result.content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join(" ");
  const lines = text.trim().split("\n");
  const more = lines.length > 1 ? ` (+${count(lines.length - 1, "line")})` : "";
  return clip(`  ${result.isError ? "failed: " : ""}${lines[0] ?? ""}${more}`);
}

/** The last line of what a running tool has said. */
export function describeProgress(text: string): string {
  return clip(`  … ${text.trim().split("\n").at(-1) ?? ""}`);
}

function describeArguments(args: unknown): string {
  if (typeof args !== "object" || args === null) return "";
  return Object.entries(args)
    .map(([key, value]) => ` ${key}=${plain(value)}`)
    .join("");
}

function plain(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}

/** Control characters of a model's words must not reach the terminal. */
function clip(line: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = line.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return clean.length <= maxLine ? clean : `${clean.slice(0, maxLine - 1)}…`;
}
