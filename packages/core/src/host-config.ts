import type { Config } from "./index.js";
import { defined } from "./plain-data.js";

/** The keys of config that the host itself reads. */
export type HostConfig = ReturnType<typeof readHostConfig>;

/** Reads the host's keys; values of another shape were refused by the loader and count as absent. */
export function readHostConfig(config: Config) {
  const tools = record(config["tools"]);
  const prompt = record(config["prompt"]);
  return {
    model: text(config["model"]),
    layout: text(config["layout"]),
    /** Tool names as the model sees them; undefined: all. */
    only: names(tools["only"]),
    off: names(tools["off"]) ?? [],
    isRebuilt: prompt["prefix"] === "rebuilt",
    /** The log keeps hashes of the prompt's sections and none of its text. */
    isHashed: prompt["record"] === "hashes",
    /** Estimated tokens the system text may take. */
    maxTokens: typeof prompt["max_tokens"] === "number" ? prompt["max_tokens"] : Infinity,
  };
}

/** A plugin's options: those under `plugins`, and over them the top-level keys the plugin names. */
export function pluginOptions(config: Config, plugin: string, configKeys: readonly string[]): Config {
  const own = record(record(record(config["plugins"])[plugin])["options"]);
  return { ...own, ...defined(Object.fromEntries(configKeys.map((key) => [key, config[key]]))) };
}

const record = (value: unknown): Config =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const names = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
