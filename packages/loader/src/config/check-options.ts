import { ConfigError, type StandardSchema } from "@quire/core";
import { nearest, type LoadedPlugin } from "@quire/core/host";
import type { LoadedConfig } from "../contract.js";
import { isRecord } from "../record.js";

/**
 * Checks what config says to built-in plugins against their own schemas, where file and line are still known. Options
 * of foreign plugins are the host's to judge: they may fail alone.
 * @throws {ConfigError} `config-invalid` with the place of the first value that does not fit.
 */
export async function checkOptions(plugins: readonly LoadedPlugin[], config: LoadedConfig): Promise<void> {
  for (const { name, tier, plugin } of plugins) {
    if (tier !== "builtin" || plugin.options === undefined) continue;
    const keys = (plugin.configKeys ?? []).filter((key) => config.merged[key] !== undefined);
    const raw = { ...ownOptions(config, name), ...Object.fromEntries(keys.map((key) => [key, config.merged[key]])) };
    if (Object.keys(raw).length === 0) continue;
    const issue = (await plugin.options["~standard"].validate(raw)).issues?.[0];
    if (issue === undefined) continue;
    const path = (issue.path ?? []).map((part) => String(isRecord(part) ? part["key"] : part));
    const isTopLevel = path[0] !== undefined && keys.includes(path[0]);
    const place = isTopLevel ? path : ["plugins", name, "options", ...path];
    const at = nearestOrigin(config, place);
    throw new ConfigError({
      code: "config-invalid",
      level: "error",
      message: `\`${place.join(".")}\` does not fit: ${issue.message}`,
      ...(at === undefined ? {} : { at }),
      fix: slipIn(issue, path, plugin.options) ?? "`agent config schema` prints every key with its form",
    });
  }
}

/** Of a key that does not exist, the one that may be meant. */
function slipIn(issue: object, path: readonly string[], options: StandardSchema): string | undefined {
  const unknown: unknown = "keys" in issue && Array.isArray(issue.keys) ? issue.keys[0] : undefined;
  if (typeof unknown !== "string") return undefined;
  const near = nearest(unknown, keysAt(options, path));
  return near === undefined ? undefined : `Did you mean \`${near}\`?`;
}

function keysAt(options: StandardSchema, path: readonly string[]): readonly string[] {
  try {
    const root: unknown = options["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
    const found = path.reduce((at, key) => formsOf(at)[key], root);
    return Object.keys(formsOf(found));
  } catch {
    // Some schemas have no JSON form.
    return [];
  }
}

function formsOf(schema: unknown): Readonly<Record<string, unknown>> {
  const forms = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(forms) ? forms : {};
}

function ownOptions(config: LoadedConfig, name: string): object {
  const plugins = config.merged["plugins"];
  const entry = isRecord(plugins) ? plugins[name] : undefined;
  return isRecord(entry) && isRecord(entry["options"]) ? entry["options"] : {};
}

/** Of a value that is missing, the place of what should hold it. */
function nearestOrigin(config: LoadedConfig, path: readonly string[]): ReturnType<LoadedConfig["origin"]> {
  for (let length = path.length; length > 0; length--) {
    const origin = config.origin(path.slice(0, length).join("."));
    if (origin !== undefined) return origin;
  }
  return undefined;
}
