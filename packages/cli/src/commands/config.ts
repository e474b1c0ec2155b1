import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError, QuireError, type Config, type PluginDefinition } from "@quire/core";
import { nearest } from "@quire/core/host";
import { configJsonSchema, type Loaded } from "@quire/loader";
import type { ExitCode } from "../exit-code.js";
import { describeOrigin } from "../output/describe-origin.js";
import { table } from "../output/table.js";
import { builtins } from "../builtins.js";
import { loadAll } from "../start-host.js";
import { json, printResult, type CommandContext } from "./command-context.js";
import { configTemplate } from "./config-template.js";
import { unknownOptions } from "./unknown-options.js";
import { tryPrompt, withHost } from "./with-host.js";

/** `agent config check | path | init | schema | get KEY` */
export async function configCommand(context: CommandContext): Promise<ExitCode> {
  const verb = context.path.split(" ")[1];
  if (verb === "schema") {
    const own = await Promise.all(builtins.map((builtin) => builtin.load()));
    context.streams.out.write(json(await configJsonSchema([...own, ...(await foreignPlugins(context))])));
    return 0;
  }
  // Plugins judge their own keys when they are set up.
  if (verb === "check") {
    return withHost<ExitCode>(context, async (started) => {
      await tryPrompt(started, context);
      for (const found of unknownOptions(started.loaded)) context.sink.report(found);
      return check(context, started.loaded);
    });
  }
  const loaded = await loadAll(context.launch, context.flags);
  for (const diagnostic of loaded.diagnostics) context.sink.report(diagnostic);
  if (verb === "path") return paths(context, loaded);
  if (verb === "init") return init(context, loaded);
  return get(context, loaded);
}

/** The plugins beside the built-in ones, if config is good enough to load any: the schema is there to mend it with. */
async function foreignPlugins({ launch, flags, sink }: CommandContext): Promise<readonly PluginDefinition[]> {
  try {
    const { host } = await loadAll(launch, flags);
    return host.plugins.flatMap(({ tier, plugin }) => (tier === "builtin" ? [] : [plugin]));
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    sink.report({ ...error.diagnostic, level: "warn" });
    return [];
  }
}

/** Config that cannot be used has thrown by now; what is left are findings. */
function check(context: CommandContext, loaded: Loaded): ExitCode {
  const files = loaded.config.files.filter(({ used }) => used).map(({ file }) => file);
  const { sink } = context;
  const about = sink.all.filter(({ level, at }) => level === "error" || (level === "warn" && at?.kind === "config"));
  const isGood = about.length === 0;
  const text =
    files.length === 0 ? "no config file: the defaults hold\n" : files.map((file) => `read ${file}\n`).join("");
  printResult(context, { ok: isGood, files }, `${text}${isGood ? "config is good\n" : ""}`);
  return isGood ? 0 : 1;
}

function paths(context: CommandContext, loaded: Loaded): ExitCode {
  const files = loaded.config.files;
  const rows = files.map(({ scope, file, exists, used }) => [
    scope,
    file,
    used ? "used" : exists ? "not used" : "absent",
  ]);
  printResult(context, { files }, table(rows));
  return 0;
}

async function init(context: CommandContext, loaded: Loaded): Promise<ExitCode> {
  const file = join(loaded.place.quireHome, "config.yaml");
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, configTemplate, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new QuireError({
      code: "config-exists",
      level: "error",
      message: `${file} exists and is left as it is`,
      fix: "`agent config check` says what is in force",
    });
  }
  printResult(context, { file }, `wrote ${file}\n`);
  return 0;
}

async function get(context: CommandContext, loaded: Loaded): Promise<ExitCode> {
  const key = context.operands[0] ?? "";
  const { merged } = loaded.config;
  const value = valueAt(merged, key);
  if (value === undefined) throw await unsetKey(key, merged);
  const origin = loaded.config.origin(key);
  const from = origin === undefined ? "default" : describeOrigin(origin);
  const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  printResult(context, { key, value, from }, `${shown}\n`);
  if (!context.options.json) context.streams.note(`${key} comes from ${from}`);
  return 0;
}

/** Keys may hold dots themselves (`./tools/lint.ts`), so the longest key that fits is taken first. */
function valueAt(config: unknown, path: string): unknown {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return undefined;
  const record = config as Config;
  if (Object.hasOwn(record, path)) return record[path];
  for (let at = path.lastIndexOf("."); at > 0; at = path.lastIndexOf(".", at - 1)) {
    const found = valueAt(record[path.slice(0, at)], path.slice(at + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A key that exists has a default of its plugin's; any other is a slip. */
async function unsetKey(key: string, merged: Config): Promise<ConfigError> {
  const schema = await configJsonSchema(await Promise.all(builtins.map((builtin) => builtin.load())));
  const known = keysOf(schema);
  const near = nearest(key, [...known, ...Object.keys(merged)]);
  const isKnown = known.includes(key);
  const fix = near === undefined ? "`agent config schema` lists every key" : `Did you mean "${near}"?`;
  return new ConfigError({
    code: isKnown ? "config-unset" : "config-key-unknown",
    level: "error",
    message: isKnown ? `Nothing sets "${key}", so its default holds` : `There is no key "${key}", and nothing sets it`,
    fix: isKnown ? "`agent config schema` shows its form and default" : fix,
  });
}

/** `permissions`, `permissions.mode`, …: the paths of a JSON Schema. */
function keysOf(schema: unknown, above = ""): readonly string[] {
  const properties = (schema as { readonly properties?: Readonly<Record<string, unknown>> }).properties ?? {};
  return Object.entries(properties).flatMap(([key, value]) => [`${above}${key}`, ...keysOf(value, `${above}${key}.`)]);
}
