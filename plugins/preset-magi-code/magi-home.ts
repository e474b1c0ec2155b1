import path from "node:path";
import type { Place } from "@quire/core";

/** `$MC_HOME`, else `~/.magi-code`. */
export function magiHome(place: Pick<Place, "home" | "env" | "cwd">): string {
  const given = place.env("MC_HOME");
  if (given === undefined || given === "") return path.join(place.home, ".magi-code");
  if (given === "~" || given.startsWith("~/")) return path.join(place.home, given.slice(1));
  return path.resolve(place.cwd, given);
}
