import type { PermissionRequest } from "@quire/core";
import { join, relative, resolve } from "node:path";
import type { NamedPath } from "./path-pattern.js";
import { realPath } from "./real-path.js";

/** The one argument of a call that rules and questions speak of. */
export type MainArgument =
  | { readonly kind: "command"; readonly text: string }
  | PathArgument
  /** All arguments as JSON, keys in the order they came. */
  | { readonly kind: "other"; readonly text: string };

export interface PathArgument {
  readonly kind: "path";
  /** Relative to the project root when it really lies there, else absolute. */
  readonly text: string;
  /** As it is written, links not followed. */
  readonly written: NamedPath;
  /** Where it leads; null when that cannot be known. */
  readonly real: NamedPath | null;
}

const pathTools = new Set(["read", "write", "edit", "ls", "find", "grep"].map((name) => `tools-files/${name}`));

/** Finds the main argument: bash's command, a file tool's path, all arguments of any other tool. */
export async function mainArgument(
  request: Pick<PermissionRequest, "tool" | "call" | "cwd" | "home" | "projectRoot">,
): Promise<MainArgument> {
  const { args } = request.call;
  if (request.tool === "tools-shell/bash" && typeof args["command"] === "string") {
    return { kind: "command", text: args["command"] };
  }
  if (pathTools.has(request.tool)) {
    const path = args["path"] ?? ".";
    if (typeof path === "string") return pathArgument(path, request);
  }
  return { kind: "other", text: JSON.stringify(args) };
}

async function pathArgument(
  path: string,
  { cwd, home, projectRoot }: Pick<PermissionRequest, "cwd" | "home" | "projectRoot">,
): Promise<PathArgument> {
  const absolute = path === "~" ? home : path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path);
  const [real, root] = await Promise.all([realPath(absolute), realPath(projectRoot)]);
  const realName = real === null || root === null ? null : named(real, root);
  return {
    kind: "path",
    text: realName?.relative === "" ? "." : (realName?.relative ?? realName?.absolute ?? absolute),
    written: named(absolute, projectRoot),
    real: realName,
  };
}

function named(absolute: string, root: string): NamedPath {
  const path = relative(root, absolute);
  const isOutside = path === ".." || path.startsWith("../");
  return { absolute, relative: isOutside ? null : path };
}
