import type { CommandSpec } from "../contracts/registry.js";

/** The command a line calls: it begins with `/name` of a known command. Any other line is the user's words. */
export function readCommand(
  commands: readonly CommandSpec[],
  text: string,
): { readonly spec: CommandSpec; readonly args: string } | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return undefined;
  const spec = commands.find((command) => command.name === match[1] || command.name.endsWith(`/${match[1]}`));
  return spec === undefined ? undefined : { spec, args: (match[2] ?? "").trim() };
}
