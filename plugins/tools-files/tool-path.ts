import type { Place } from "@quire/core";
import { ToolError } from "@quire/core";
import { isAbsolute, join, relative, resolve } from "node:path";

/**
 * The absolute path a tool argument means: relative to the working folder, absolute, or below `~`.
 * @throws {ToolError} `path-invalid` when it holds a NUL character.
 */
export function resolvePath(path: string, place: Pick<Place, "cwd" | "home">): string {
  if (path.includes("\0")) {
    throw new ToolError({
      code: "path-invalid",
      level: "error",
      message: `The path ${JSON.stringify(path)} holds a NUL character`,
      fix: "Give a plain path",
    });
  }
  if (path === "~") return place.home;
  if (path.startsWith("~/")) return join(place.home, path.slice(2));
  return resolve(place.cwd, path);
}

/** A path as the model should write it: relative below the working folder, else absolute. */
export function showPath(absolute: string, cwd: string): string {
  const path = relative(cwd, absolute);
  if (path === "") return ".";
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? absolute : path;
}
