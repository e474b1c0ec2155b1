import type { Config } from "@quire/core";

/** The value if it is an array, else an empty one. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is an object, else an empty one. */
export function recordOf(value: unknown): Config {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};
}

/** The value if it is a text, else its JSON; an absent one is an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
