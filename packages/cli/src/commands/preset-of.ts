import type { Started } from "../start-host.js";

/** The name of the preset in force. */
export function presetOf({ loaded }: Pick<Started, "loaded">): string {
  const preset = loaded.config.merged["preset"];
  return typeof preset === "string" ? preset : "quire";
}
