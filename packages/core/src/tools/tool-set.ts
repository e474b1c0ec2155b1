import type { HostTool } from "../contracts/host.js";
import type { HostConfig } from "../host-config.js";

/** The tools of a host: those declared to the model, and those that come and go. */
export interface ToolSet {
  /** Registered tools under the names the model sees, sorted; `off` says why one is off. */
  declared(): readonly HostTool[];
  /** What sources offer now. */
  late(): readonly HostTool[];
}

export function createToolSet(
  registry: { snapshot(): readonly HostTool[]; lateTools(): readonly HostTool[] },
  config: Pick<HostConfig, "only" | "off">,
): ToolSet {
  const judge = (tool: HostTool): HostTool => {
    const named = (list: readonly string[]) => list.includes(tool.name) || list.includes(tool.fullName);
    if (named(config.off)) return { ...tool, off: "config turns it off (tools.off)" };
    if (config.only !== undefined && !named(config.only))
      return { ...tool, off: "it is not among the tools chosen (tools.only)" };
    return tool;
  };
  return { declared: () => registry.snapshot().map(judge), late: () => registry.lateTools().map(judge) };
}

/** Turns off what a turn may not use. `only` holds names as the model sees them. */
export function narrowTools(tools: readonly HostTool[], only: readonly string[] | undefined): readonly HostTool[] {
  if (only === undefined) return tools;
  return tools.map((tool) =>
    only.includes(tool.name) || tool.off !== undefined ? tool : { ...tool, off: "this task may not use it" },
  );
}
