import type { Diagnostic } from "../contracts/diagnostic.js";
import { sha256 } from "../text/sha256.js";
import { shortName } from "./own-name.js";

/** What every vendor takes as the name of a tool. */
const longestName = 64;

/** Gives tools the names the model sees. A name once given stays its tool's, also while the tool is away. */
export interface ToolNames {
  /** The part after the last slash; when it is taken `<plugin>__<name>`, reported once as `tool-renamed`. */
  nameOf(plugin: string, fullName: string): string;
}

export function createToolNames(report: (diagnostic: Diagnostic) => void): ToolNames {
  const nameByTool = new Map<string, string>();
  const toolByName = new Map<string, string>();

  function choose(plugin: string, fullName: string): string {
    const short = shortName(fullName);
    const long = `${plugin.replaceAll("@", "").replaceAll("/", "_")}__${short}`;
    const free = [short, long].map(madeValid).find((name) => !toolByName.has(name));
    return free ?? `${madeValid(long).slice(0, longestName - 9)}_${sha256(fullName).slice(0, 8)}`;
  }

  return {
    nameOf(plugin, fullName) {
      const given = nameByTool.get(fullName);
      if (given !== undefined) return given;
      const name = choose(plugin, fullName);
      const short = shortName(fullName);
      if (name !== short) report(toolRenamed(plugin, fullName, name, toolByName.get(short)));
      nameByTool.set(fullName, name);
      toolByName.set(name, fullName);
      return name;
    },
  };
}

function madeValid(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, longestName) || "_";
}

function toolRenamed(plugin: string, fullName: string, name: string, taken: string | undefined): Diagnostic {
  const why =
    taken === undefined
      ? `models take only letters, digits, "_" and "-", ${longestName} of them`
      : `"${shortName(fullName)}" is "${taken}"`;
  return {
    code: "tool-renamed",
    level: "info",
    plugin,
    message: `The model knows the tool "${fullName}" as "${name}": ${why}`,
    fix: `Use "${name}" in rules and prompts, or take one of the tools out`,
  };
}
