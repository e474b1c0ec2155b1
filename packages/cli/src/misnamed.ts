import { ConfigError, type Config, type Diagnostic, type Origin } from "@quire/core";
import { nearest, type Host } from "@quire/core/host";
import type { Loaded } from "@quire/loader";
import type { Flags } from "./args/flags.js";

/** Whether a flag names a plugin or a section that does not exist. */
export function isMisnamedFlag({ at, code, section }: Diagnostic, { untrusted }: Loaded): boolean {
  if (at?.kind !== "flag") return false;
  // What an untrusted project would bring has no name yet.
  if (code === "plugin-unknown") return untrusted.length === 0;
  return code === "plugin-missing" || (code === "section-dangling" && section !== undefined);
}

/**
 * A guard or a rule that is silently absent is worse than a start that does not happen.
 * @throws {ConfigError} The first flag that names what does not exist.
 */
export function refuseMisnamedFlags(found: readonly Diagnostic[], loaded: Loaded): void {
  const first = found.find((diagnostic) => isMisnamedFlag(diagnostic, loaded));
  if (first !== undefined) throw new ConfigError({ ...first, level: "error" });
}

/**
 * Names of tools in `--tools`, `tools:` and the rules of permissions that no tool has.
 * @throws {ConfigError} `tool-unknown`: in `--tools`, where the slip is plain or no plugin could bring it later.
 */
export function unknownTools(host: Host, { config }: Loaded, flags: Flags): readonly Diagnostic[] {
  const names = host.tools.map(({ name }) => name);
  const unknown = (list: readonly string[]) => list.filter((name) => !names.includes(name));
  const isWhole = host.plugins.every(({ tier }) => tier === "builtin");
  for (const name of unknown(flags.tools ?? [])) {
    const found = unknownTool(`--tools names "${name}"`, name, names, { kind: "flag" });
    if (isWhole || nearest(name, names) !== undefined) throw new ConfigError({ ...found, level: "error" });
  }
  const { tools, permissions } = config.merged;
  const told = (key: string, list: readonly string[], isCertain: boolean) =>
    unknown(list)
      .filter((name) => isCertain || nearest(name, names) !== undefined)
      .map((name) => unknownTool(`\`${key}\` names "${name}"`, name, names, config.origin(key)));
  return [
    ...(flags.tools === undefined ? told("tools.only", textsAt(tools, "only"), true) : unknown(flags.tools).map(late)),
    ...told("tools.off", textsAt(tools, "off"), false),
    ...["allow", "ask", "deny"].flatMap((list) =>
      told(`permissions.${list}`, textsAt(permissions, list).flatMap(toolOfRule), false),
    ),
  ];
}

/** `bash` of `bash(npm *)`; nothing of a pattern. */
function toolOfRule(rule: string): readonly string[] {
  const [, name] = /^([\w-]+)(?:\(|$)/.exec(rule.trim()) ?? [];
  return name === undefined ? [] : [name];
}

function late(name: string): Diagnostic {
  return unknownTool(`--tools names "${name}"`, name, [], { kind: "flag" });
}

function unknownTool(what: string, name: string, names: readonly string[], at: Origin | undefined): Diagnostic {
  const near = nearest(name, names);
  return {
    code: "tool-unknown",
    level: "warn",
    message: `${what}, and no tool is called that`,
    ...(at !== undefined && { at }),
    fix: near === undefined ? "`agent list tools` shows all" : `Did you mean "${near}"?`,
  };
}

/** Entries of `providers:` whose `api` nobody speaks; their models cannot be asked. */
export function unspokenApis(host: Host, { config }: Loaded): readonly Diagnostic[] {
  const spoken = [...new Set(host.providers.map(({ api }) => api))];
  return Object.entries(recordOf(config.merged["providers"])).flatMap(([name, entry]) => {
    const { api } = recordOf(entry);
    if (typeof api !== "string" || spoken.includes(api)) return [];
    const near = nearest(api, spoken);
    const at = config.origin(`providers.${name}.api`);
    return {
      code: "provider-api-unknown",
      level: "error",
      message: `The provider "${name}" in config has the api "${api}", which no plugin speaks`,
      ...(at !== undefined && { at }),
      fix: `${near === undefined ? "" : `Did you mean "${near}"? `}Known here: ${spoken.join(", ")}`,
    };
  });
}

function recordOf(value: unknown): Config {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};
}

function textsAt(value: unknown, key: string): readonly string[] {
  const list = recordOf(value)[key];
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
