import type { Origin } from "@quire/core";

/** Who wrote something, in as few words as name him: a plugin, `file:line`, a flag. */
export function describeOrigin(origin: Origin): string {
  const file =
    origin.file === undefined ? undefined : `${origin.file}${origin.line === undefined ? "" : `:${origin.line}`}`;
  if (origin.kind === "plugin") return origin.plugin ?? file ?? "plugin";
  if (origin.kind === "layout") return origin.plugin === undefined ? "layout" : `layout of ${origin.plugin}`;
  return file ?? (origin.plugin === undefined ? origin.kind : `${origin.kind} of ${origin.plugin}`);
}
