import type { Config } from "@quire/core";
import type { Loaded } from "@quire/loader";

/** What config says to a plugin: the options under `plugins`, and over them the top-level keys that are its own. */
export function pluginOptions({ config }: Pick<Loaded, "config">, name: string, keys: readonly string[]): Config {
  const { merged } = config;
  const plugins = asMapping(merged["plugins"]);
  const own = keys.filter((key) => merged[key] !== undefined).map((key) => [key, merged[key]] as const);
  return { ...asMapping(asMapping(plugins[name])["options"]), ...Object.fromEntries(own) };
}

function asMapping(value: unknown): Config {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};
}
