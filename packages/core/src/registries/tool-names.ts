import type { Diagnostic } from "../contracts/diagnostic.js";
import { notice } from "../errors.js";
import { sha256 } from "../text/sha256.js";
import { shortName } from "./registry.js";

/** What every vendor takes as the name of a tool. */
const longestName = 64;

/**
 * Gives tools the names the model sees: the part after the last slash; when it is taken `<plugin>__<name>`, reported
 * once as `tool-renamed`. A name once given stays its tool's, also while the tool is away.
 */
export function createToolNames(
  report: (diagnostic: Diagnostic) => void,
): (plugin: string, fullName: string) => string {
  const nameByTool = new Map<string, string>();
  const toolByName = new Map<string, string>();
  return (plugin, fullName) => {
    const given = nameByTool.get(fullName);
    if (given !== undefined) return given;
    const short = shortName(fullName);
    const long = madeValid(`${plugin.replaceAll("@", "").replaceAll("/", "_")}__${short}`);
    const free = [madeValid(short), long].find((name) => !toolByName.has(name));
    const name = free ?? `${long.slice(0, longestName - 9)}_${sha256(fullName).slice(0, 8)}`;
    nameByTool.set(fullName, name);
    toolByName.set(name, fullName);
    if (name === short) return name;
    const taken = toolByName.get(short);
    const why =
      taken === undefined
        ? `models take only letters, digits, "_" and "-", ${longestName} of them`
        : `"${short}" is "${taken}"`;
    const fix = `Use "${name}" in rules and prompts, or take one of the tools out`;
    report(notice("tool-renamed", `The model knows the tool "${fullName}" as "${name}": ${why}`, { plugin, fix }));
    return name;
  };
}

function madeValid(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, longestName) || "_";
}
