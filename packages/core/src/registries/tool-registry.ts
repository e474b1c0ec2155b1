import type { Effect, ToolRegistry, ToolSpec } from "../index.js";
import type { HostTool } from "../host-door.js";
import { notice, pluginError, toDiagnostic } from "../errors.js";
import type { HostConfig } from "../host-config.js";
import type { Report } from "../report.js";
import { sha256 } from "../text/bytes.js";
import { checkName, createRegistry, shortName, type Owned } from "./registry.js";
import { toolInputSchema } from "./tool-input.js";

/** The tools of all plugins, as the host sees them. */
export type HostToolRegistry = ReturnType<typeof createToolRegistry>;

type Source = Parameters<ToolRegistry["source"]>[0];

/**
 * @param call Runs a tool for a plugin.
 * @param wanted The user's choice; what it excludes is listed as off.
 */
export function createToolRegistry(
  report: Report,
  call: ToolRegistry["call"],
  wanted: Pick<HostConfig, "only" | "off"> = { only: undefined, off: [] },
) {
  const specs = createRegistry<ToolSpec>("tool", report, checkTool);
  const nameOf = createToolNames(report);
  let sources: { readonly plugin: string; readonly source: Source }[] = [];
  let closed: readonly HostTool[] | undefined;
  const reported = new Set<string>();
  /** Sources are asked at every request: one finding is told once. */
  const reportOnce: Report = (diagnostic) => {
    if (!reported.has(diagnostic.message)) report(diagnostic);
    reported.add(diagnostic.message);
  };
  /** What the sources offer now, in their order. */
  const offered = (): readonly Owned<ToolSpec>[] => {
    const seen = new Set(specs.list().map(({ name }) => name));
    return sources.flatMap(({ plugin, source }) => {
      const what = `offers no tools from its source "${source.name}"`;
      return attempt(plugin, what, reportOnce, () => [...source.list()]).flatMap((listed) =>
        attempt(plugin, "offers a tool that is left out", reportOnce, () => {
          const spec = checkTool(plugin, listed);
          // Names of other systems are taken as they are.
          checkName("tool", plugin, spec.name, /^[^\s]+$/);
          if (seen.has(spec.name)) throw new Error(`the name "${spec.name}" is taken by an earlier tool`);
          seen.add(spec.name);
          return [{ spec, owner: plugin }];
        }),
      );
    });
  };
  /** Named in plugin order, so that the first keeps the short name; sorted afterwards. */
  const hostTools = (tools: readonly Owned<ToolSpec>[], tell: Report): readonly HostTool[] => {
    const named = tools.flatMap(({ spec, owner: plugin }) =>
      attempt(plugin, "brings a tool that is left out", tell, () => {
        toolInputSchema(spec);
        return [judge({ name: nameOf(plugin, spec.name), fullName: spec.name, plugin, spec }, wanted)];
      }),
    );
    return Object.freeze(named.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  };
  const lateTools = () => hostTools(offered(), reportOnce);

  return {
    /**
     * One plugin's view. Its calls throw `PluginError`: `tool-invalid`, `name-prefix`, `name-mismatch`,
     * `source-invalid`, `registry-closed`.
     */
    face(plugin: string): ToolRegistry {
      return {
        // Arguments reach `execute` only after the spec's own schema judged them.
        ...specs.face(plugin),
        list() {
          if (closed === undefined) return specs.list();
          return [...closed, ...lateTools()].filter(({ off }) => off === undefined).map(({ spec }) => spec);
        },
        source(source) {
          specs.checkOpen(plugin, "source");
          checkSource(plugin, source);
          sources.push({ plugin, source });
        },
        call,
      };
    },
    /** The registered tools, sorted by the name the model sees: always the same list, empty before `close`. */
    snapshot: () => closed ?? [],
    /** What the sources offer right now, sorted alike. */
    lateTools,
    /** Takes away what a plugin registered and edited: its set-up failed. */
    withdraw(plugin: string): void {
      specs.withdraw(plugin);
      sources = sources.filter((entry) => entry.plugin !== plugin);
    },
    /** Ends set-up; duplicates, unknown names and failed wraps are reported here. */
    close(): void {
      specs.close();
      closed ??= hostTools(specs.entries(), report);
    },
  };
}

/** What `run` gives; its failure is told under the plugin's name, and the host goes on without. */
function attempt<T>(plugin: string, what: string, report: Report, run: () => readonly T[]): readonly T[] {
  try {
    return run();
  } catch (error) {
    const found = toDiagnostic(error, { code: "tool-source-failed" });
    report({ ...found, level: "error", plugin, message: `Plugin "${plugin}" ${what}: ${found.message}` });
    return [];
  }
}

function judge(tool: HostTool, { only, off }: Pick<HostConfig, "only" | "off">): HostTool {
  const isIn = (names: readonly string[]) => names.includes(tool.name) || names.includes(tool.fullName);
  if (isIn(off)) return { ...tool, off: "config turns it off (tools.off)" };
  return only === undefined || isIn(only) ? tool : { ...tool, off: "it is not among the tools chosen (tools.only)" };
}

function checkSource(plugin: string, source: Partial<Source> | null | undefined): void {
  if (typeof source?.name === "string" && typeof source.list === "function") return;
  const message = `Plugin "${plugin}" gives a source of tools without a name or a list function`;
  throw pluginError("source-invalid", message, { plugin, fix: 'Give { name: "…", list: () => [ … ] }' });
}

const effects: readonly unknown[] = ["read", "write", "run", "network"] satisfies readonly Effect[];

/**
 * Checks a tool as a plugin gave it; a plugin may be plain JavaScript.
 * @returns The tool, with the effect `run` when it names none.
 * @throws {PluginError} `tool-invalid`.
 */
function checkTool(plugin: string, spec: ToolSpec): ToolSpec {
  const given = (typeof spec === "object" ? spec : null) ?? ({} as Partial<Record<keyof ToolSpec, unknown>>);
  const { name, description, input, effect } = given;
  const faults: readonly (readonly [isFound: boolean, what: string])[] = [
    [typeof name !== "string" || name === "", "without a name"],
    [typeof description !== "string" || description.trim() === "", "without a description"],
    [input === null || (typeof input !== "object" && typeof input !== "function"), "without an input schema"],
    [Array.isArray(input), "whose input is an array"],
    [typeof given.execute !== "function", "without an execute function"],
    [effect !== undefined && !effects.includes(effect), `with an effect that is none of ${effects.join(", ")}`],
  ];
  const problem = faults.find(([isFound]) => isFound)?.[1];
  if (problem !== undefined) {
    const message = `Plugin "${plugin}" gives ${typeof name === "string" ? `the tool "${name}"` : "a tool"} ${problem}`;
    const fix = "Give name, description, input, effect and execute, as the type ToolSpec says";
    throw pluginError("tool-invalid", message, { plugin, fix });
  }
  if (effect !== undefined) return spec;
  // Its methods and getters may live on a class, where spreading does not reach.
  const execute: ToolSpec["execute"] = (args, context) => spec.execute(args, context);
  return { ...spec, name: spec.name, description: spec.description, input: spec.input, effect: "run", execute };
}

/** What every vendor takes as the name of a tool. */
const longestName = 64;

/**
 * Gives tools the names the model sees: the part after the last slash; when it is taken `<plugin>__<name>`, reported
 * once as `tool-renamed`. A name once given stays its tool's, also while the tool is away.
 */
function createToolNames(report: Report): (plugin: string, fullName: string) => string {
  const nameByTool = new Map<string, string>();
  const toolByName = new Map<string, string>();
  const valid = (name: string) => name.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, longestName) || "_";
  return (plugin, fullName) => {
    const given = nameByTool.get(fullName);
    if (given !== undefined) return given;
    const short = shortName(fullName);
    const long = valid(`${plugin.replaceAll("@", "").replaceAll("/", "_")}__${short}`);
    const free = [valid(short), long].find((name) => !toolByName.has(name));
    const name = free ?? `${long.slice(0, longestName - 9)}_${sha256(fullName).slice(0, 8)}`;
    nameByTool.set(fullName, name);
    toolByName.set(name, fullName);
    if (name === short) return name;
    const taken = toolByName.get(short);
    const limits = `models take only letters, digits, "_" and "-", ${longestName} of them`;
    const why = taken === undefined ? limits : `"${short}" is "${taken}"`;
    const fix = `Use "${name}" in rules and prompts, or take one of the tools out`;
    report(notice("tool-renamed", `The model knows the tool "${fullName}" as "${name}": ${why}`, { plugin, fix }));
    return name;
  };
}
