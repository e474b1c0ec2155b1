import { dirname, resolve } from "node:path";
import { expandHome } from "../place.js";
import { isPathLike, type PluginEntry } from "../plugins/plugin-source.js";
import { isRecord } from "../record.js";
import type { YamlFile } from "./yaml-file.js";

/** The entries under `plugins:` of a checked config file, in its order; paths count from the file's folder. */
export function pluginEntries(config: YamlFile, layer: "user" | "project", home: string): readonly PluginEntry[] {
  const plugins = config.value["plugins"];
  if (!isRecord(plugins)) return [];
  return Object.entries(plugins).map(([key, entry]) => {
    const { options, required } = isRecord(entry) ? entry : {};
    return {
      key,
      layer,
      at: { kind: "config", file: config.file, line: config.lineOf(["plugins", key]) },
      ...(isPathLike(key) ? { path: resolve(dirname(config.file), expandHome(key, home)) } : {}),
      ...(isRecord(options) ? { options } : {}),
      ...(typeof required === "boolean" ? { required } : {}),
    };
  });
}
