import type { Diagnostic } from "../contracts/diagnostic.js";
import type { ToolSpec } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import type { Owned } from "./named-specs.js";
import { ownName } from "./own-name.js";
import { checkTool } from "./tool-check.js";
import { describeFailure } from "./tool-failure.js";

interface Source {
  readonly name: string;
  list(): readonly ToolSpec[];
}

/** The sources of tools that come and go. */
export interface LateTools {
  /** @throws {PluginError} `source-invalid`. */
  add(plugin: string, source: Source): void;
  /**
   * What the sources offer now, in their order. What fails is reported and left out.
   * @param taken Full names that are registered and therefore not offered again.
   */
  offer(taken: ReadonlySet<string>): readonly Owned<ToolSpec>[];
  withdraw(plugin: string): void;
  /** Sources are asked at every request: one finding is told once. */
  readonly reportOnce: (diagnostic: Diagnostic) => void;
}

/** What a source's tool may be called: names of other systems are taken as they are. */
const latePart = /^[^\s]+$/;

export function createLateTools(report: (diagnostic: Diagnostic) => void): LateTools {
  let sources: { readonly plugin: string; readonly source: Source }[] = [];
  const reported = new Set<string>();

  function reportOnce(diagnostic: Diagnostic): void {
    if (reported.has(diagnostic.message)) return;
    reported.add(diagnostic.message);
    report(diagnostic);
  }

  function listOf(plugin: string, source: Source): readonly ToolSpec[] {
    try {
      const listed: unknown = source.list();
      if (Array.isArray(listed)) return listed as readonly ToolSpec[];
      throw new TypeError("its list is no array");
    } catch (error) {
      reportOnce(describeFailure(plugin, `offers no tools from its source "${source.name}"`, error));
      return [];
    }
  }

  return {
    reportOnce,
    add(plugin, source) {
      checkSource(plugin, source);
      sources.push({ plugin, source });
    },
    withdraw(plugin) {
      sources = sources.filter((entry) => entry.plugin !== plugin);
    },
    offer(taken) {
      const seen = new Set(taken);
      const offered: Owned<ToolSpec>[] = [];
      for (const { plugin, source } of sources) {
        for (const listed of listOf(plugin, source)) {
          try {
            const spec = checkTool(plugin, listed);
            ownName("tool", plugin, spec.name, latePart);
            if (seen.has(spec.name)) throw new Error(`the name "${spec.name}" is taken by an earlier tool`);
            seen.add(spec.name);
            offered.push({ spec, owner: plugin });
          } catch (error) {
            reportOnce(describeFailure(plugin, `offers a tool that is left out`, error));
          }
        }
      }
      return offered;
    },
  };
}

function checkSource(plugin: string, source: unknown): void {
  const valid =
    typeof source === "object" &&
    source !== null &&
    "name" in source &&
    typeof source.name === "string" &&
    "list" in source &&
    typeof source.list === "function";
  if (valid) return;
  throw new PluginError({
    code: "source-invalid",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" gives a source of tools without a name or a list function`,
    fix: 'Give { name: "…", list: () => [ … ] }',
  });
}
