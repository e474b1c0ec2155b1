import path from "node:path";
import type { Place } from "@quire/core";

export type MemoryPlace = Pick<Place, "home" | "projectRoot" | "quireHome" | "env">;

/** The files a list of path patterns names here, each once, in order. A `$NAME` that is not set names no file. */
export function memoryPaths(patterns: readonly string[], place: MemoryPlace): readonly string[] {
  return [...new Set(patterns.flatMap((pattern) => expand(pattern, place)))];
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
