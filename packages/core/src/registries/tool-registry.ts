import type { HostTool } from "../contracts/host.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { ToolContext, ToolRegistry, ToolSpec } from "../contracts/tool.js";
import type { ToolResult } from "../contracts/message.js";
import { createLateTools } from "./late-tools.js";
import type { Owned } from "./named-specs.js";
import { createNamedSpecs } from "./named-specs.js";
import { ownName } from "./own-name.js";
import { checkTool } from "./tool-check.js";
import { toolInputSchema } from "./tool-input.js";
import type { ToolNames } from "./tool-names.js";
import { createToolNames } from "./tool-names.js";
import { describeFailure } from "./tool-failure.js";

/** The tools of all plugins, as the host sees them. */
export interface HostToolRegistry {
  /**
   * One plugin's view. Its calls throw `PluginError`: `tool-invalid`, `name-prefix`, `name-mismatch`, `source-invalid`,
   * `registry-closed`.
   */
  face(plugin: string): ToolRegistry;
  /** The registered tools, sorted by the name the model sees; from `close` on always the same list. */
  snapshot(): readonly HostTool[];
  /** What the sources offer right now, sorted alike. */
  lateTools(): readonly HostTool[];
  /** Takes away what a plugin registered and edited: its set-up failed. */
  withdraw(plugin: string): void;
  /** Ends set-up; duplicates, unknown names and failed wraps are reported here. */
  close(): void;
}

export interface ToolRegistryOptions {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Runs a tool for a plugin. */
  readonly call: (name: string, args: unknown, context: ToolContext) => Promise<ToolResult>;
}

const toolPart = /^[a-z0-9][a-z0-9_-]*$/;

export function createToolRegistry({ report, call }: ToolRegistryOptions): HostToolRegistry {
  const specs = createNamedSpecs<ToolSpec>({
    kind: "tool",
    report,
    check: checkTool,
    keyOf: (name) => name,
  });
  const names = createToolNames(report);
  const late = createLateTools(report);
  let closed: readonly HostTool[] | undefined;

  const offered = () => late.offer(new Set(specs.resolve().map(({ spec }) => spec.name)));

  return {
    face: (plugin) => ({
      register<A>(spec: ToolSpec<A>) {
        // Arguments reach `execute` only after the spec's own schema judged them.
        const anyArguments = spec as ToolSpec;
        checkTool(plugin, anyArguments);
        ownName("tool", plugin, spec.name, toolPart);
        specs.register(plugin, anyArguments);
      },
      replace: (name, spec) => specs.replace(plugin, name, spec),
      wrap: (name, fn) => specs.wrap(plugin, name, fn),
      remove: (name) => specs.remove(plugin, name),
      list: () => Object.freeze([...specs.resolve(), ...offered()].map(({ spec }) => spec)),
      source(source) {
        specs.refuseLate(plugin, "source");
        late.add(plugin, source);
      },
      call,
    }),
    snapshot: () =>
      closed ??
      toHostTools(
        specs.resolve(),
        createToolNames(() => {}),
        () => {},
      ),
    lateTools: () => toHostTools(offered(), names, late.reportOnce),
    withdraw(plugin) {
      specs.withdraw(plugin);
      late.withdraw(plugin);
    },
    close() {
      specs.close();
      closed ??= toHostTools(specs.resolve(), names, report);
    },
  };
}

/** Named in plugin order, so that the first keeps the short name; sorted afterwards. */
function toHostTools(
  tools: readonly Owned<ToolSpec>[],
  names: ToolNames,
  report: (diagnostic: Diagnostic) => void,
): readonly HostTool[] {
  const hostTools = tools.flatMap(({ spec, owner }) => {
    try {
      toolInputSchema(spec);
    } catch (error) {
      report(describeFailure(owner, `brings a tool that is left out`, error));
      return [];
    }
    const name = names.nameOf(owner, spec.name);
    return [Object.freeze({ name, fullName: spec.name, plugin: owner, spec })];
  });
  return Object.freeze(hostTools.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
}
