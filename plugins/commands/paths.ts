import path from "node:path";
import type { Place } from "@quire/core";
import type { CommandOptions } from "./options.js";

type PathPlace = Pick<Place, "home" | "quireHome" | "projectRoot" | "cwd" | "env">;

/** The folder of an entry of `folders`; undefined when every candidate is under a variable that is not set. */
export function folderPath(entry: CommandOptions["folders"][number], place: PathPlace): string | undefined {
  const start = entry.under === "cwd" ? place.cwd : place.projectRoot;
  const candidates = typeof entry.folder === "string" ? [entry.folder] : entry.folder;
  for (const candidate of candidates) {
    const folder = expandPath(candidate, start, place);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** An absolute path; undefined when it is under a variable that is not set. */
export function expandPath(
  text: string,
  start: string,
  place: Pick<Place, "home" | "quireHome" | "env">,
): string | undefined {
  if (text === "~" || text.startsWith("~/")) return path.join(place.home, text.slice(1));
  const [, name, rest = ""] = /^\$([A-Za-z_]\w*)(?:\/(.*))?$/s.exec(text) ?? [];
  if (name === undefined) return path.resolve(start, text);
  const value = name === "QUIRE_HOME" ? place.quireHome : place.env(name);
  return value === undefined || value === "" ? undefined : path.join(value, rest);
}

/** Whether the source of a package is a folder: `npm:name`, `git:host/name` and addresses are others. */
export function isPackagePath(source: string): boolean {
  return !/^[a-z][a-z+.-]+:/i.test(source);
}
