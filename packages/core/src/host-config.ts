import type { Config } from "./contracts/place.js";

/** The keys of config that the host itself reads. */
export interface HostConfig {
  readonly model: string | undefined;
  readonly layout: string | undefined;
  /** Tool names as the model sees them; undefined: all. */
  readonly only: readonly string[] | undefined;
  readonly off: readonly string[];
  readonly prefix: "frozen" | "rebuilt";
  /** Estimated tokens the system text may take. */
  readonly maxTokens: number | undefined;
}

/** Reads the host's keys; values of another shape were refused by the loader and count as absent. */
export function readHostConfig(config: Config): HostConfig {
  const tools = record(config["tools"]);
  const prompt = record(config["prompt"]);
  return {
    model: text(config["model"]),
    layout: text(config["layout"]),
    only: names(tools["only"]),
    off: names(tools["off"]) ?? [],
    prefix: prompt["prefix"] === "rebuilt" ? "rebuilt" : "frozen",
    maxTokens: typeof prompt["max_tokens"] === "number" ? prompt["max_tokens"] : undefined,
  };
}

/** A plugin's options: those under `plugins`, and over them the top-level keys the plugin names. */
export function pluginOptions(config: Config, plugin: string, configKeys: readonly string[]): Config {
  const own = record(record(record(config["plugins"])[plugin])["options"]);
  const shared = Object.fromEntries(
    configKeys.filter((key) => config[key] !== undefined).map((key) => [key, config[key]]),
  );
  return { ...own, ...shared };
}

function record(value: unknown): Config {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : undefined;
}
