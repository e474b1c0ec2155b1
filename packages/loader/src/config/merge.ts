import type { Config } from "@quire/core";
import { isRecord } from "../record.js";

/** `high` over `low`: mappings merge at every depth, everything else (lists too) is replaced. */
export function mergeConfig(low: Config, high: Config): Config {
  const merged = new Map<string, unknown>(Object.entries(low));
  for (const [key, value] of Object.entries(high)) {
    const below = merged.get(key);
    merged.set(key, isRecord(below) && isRecord(value) ? mergeConfig(below, value) : value);
  }
  return Object.fromEntries(merged);
}
