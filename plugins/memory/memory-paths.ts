import path from "node:path";
import type { Place } from "@quire/core";
import type { MemoryPath } from "./options.js";

export type MemoryPlace = Pick<Place, "home" | "projectRoot" | "quireHome" | "env">;

/**
 * The files a list of path patterns names here, each once, in order. A `$NAME` that is not set names no file; of
 * alternatives the first that names one counts.
 */
export function memoryPaths(patterns: readonly MemoryPath[], place: MemoryPlace): readonly string[] {
  const files = patterns.flatMap((pattern) => {
    const alternatives = typeof pattern === "string" ? [pattern] : pattern;
    return alternatives.flatMap((alternative) => expand(alternative, place)).slice(0, 1);
  });
  return [...new Set(files)];
}

function expand(pattern: string, place: MemoryPlace): readonly string[] {
  const named = pattern.replaceAll("{project}", projectName(place.projectRoot));
  const variable = /^\$(\w+)(?=\/|$)/.exec(named);
  if (variable === null) {
    const file = named.startsWith("~/") ? path.join(place.home, named.slice(2)) : named;
    return [path.resolve(place.projectRoot, file)];
  }
  const [start, name = ""] = variable;
  const folder = name === "QUIRE_HOME" ? place.quireHome : place.env(name);
  return folder === undefined || folder === "" ? [] : [path.resolve(folder, `.${named.slice(start.length)}`)];
}

/** One folder name for one project root. */
function projectName(projectRoot: string): string {
  return projectRoot.replaceAll(/[^A-Za-z0-9]/g, "-");
}
