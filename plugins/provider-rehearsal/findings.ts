import type { Config } from "@quire/core";
import { textOf } from "./tour.js";
import type { Visit } from "./tour.js";

/** The names that the listing of the folder gave; none when it failed. */
export function entryNames(visits: readonly Visit[]): readonly string[] {
  const listing = visits.find(({ call }) => call.name === "ls")?.result;
  if (listing === undefined || listing.isError) return [];
  return linesOf(textOf(listing.content))
    .filter((line) => !/^[[(].*[\])]$/.test(line))
    .map((line) => line.replace(/ \(\d+ bytes\)$/, "").replace(/ -> .*$/, ""));
}

/** One visit as a line of the report: what was found, or honestly why nothing was. */
export function describeVisit(visit: Visit): string {
  const { call, result } = visit;
  const what = `\`${call.name} ${target(call.args)}\``;
  if (result === undefined) return `${what} was interrupted.`;
  const text = textOf(result.content);
  if (result.isError) return `${what} was refused or failed: ${shorten(text)}`;
  if (call.name === "ls") return `${what} shows ${describeEntries(entryNames([visit]))}`;
  if (call.name === "read") return `${what}: ${describeFile(String(call.args["path"]), withoutNumbers(text))}`;
  const hits = linesOf(text).filter((line) => /^.+?:\d+:/.test(line));
  return hits.length === 0
    ? `${what}: ${shorten(text)}`
    : `${what} found ${hits.length} line${hits.length === 1 ? "" : "s"}, the first: ${shorten(hits[0] ?? "")}`;
}

function target(args: Config): string {
  return [args["path"], args["pattern"]].filter((value) => typeof value === "string").join(" ");
}

function describeEntries(names: readonly string[]): string {
  if (names.length === 0) return "an empty folder.";
  const shown = names.slice(0, 12).join(", ");
  const rest = names.length > 12 ? `, and ${names.length - 12} more` : "";
  return `${names.length} ${names.length === 1 ? "entry" : "entries"}: ${shown}${rest}.`;
}

function describeFile(path: string, text: string): string {
  if (path === "package.json") return describePackage(text) ?? shorten(text);
  if (/^readme/i.test(path)) return describeReadme(text);
  const name = /^(?:name\s*=|module\b).*$/m.exec(text)?.[0];
  return shorten(name ?? text);
}

/** The title and the first paragraph of plain text. */
function describeReadme(text: string): string {
  const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? linesOf(text)[0] ?? "it is empty";
  const paragraph = text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .find((part) => part !== title && /^[\p{L}\p{N}*_`"'(]/u.test(part) && !/^(```|\[?!\[)/.test(part));
  return `“${shorten(title, 100)}”${paragraph === undefined ? "" : `. ${shorten(paragraph)}`}`;
}

/** Name and scripts; undefined when it is no whole JSON object. */
function describePackage(text: string): string | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof data !== "object" || data === null) return undefined;
  const { name, scripts } = data as { readonly name?: unknown; readonly scripts?: unknown };
  const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
  const shown = entries.slice(0, 8).map(([script, command]) => `\`${script}\` (${shorten(String(command), 60)})`);
  const listed = `${shown.join(", ")}${entries.length > 8 ? `, and ${entries.length - 8} more` : ""}`;
  const title = typeof name === "string" ? `the package ${name} with ` : "";
  return entries.length === 0 ? `${title}no scripts.` : `${title}the scripts ${listed}.`;
}

/** The text without line numbers in front and notes in brackets at the end. */
function withoutNumbers(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^\s*\d+ \| ?/, ""));
  while (/^\[.*\]$/.test(lines.at(-1) ?? "")) lines.pop();
  return lines.join("\n");
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** On one line, and cut between characters. */
export function shorten(text: string, length = 240): string {
  const characters = Array.from(text.replaceAll(/\s+/g, " ").trim());
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : characters.join("");
}
