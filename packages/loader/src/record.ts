import type { Config } from "@quire/core";

/** A plain mapping: neither null nor a list. */
export function isRecord(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
