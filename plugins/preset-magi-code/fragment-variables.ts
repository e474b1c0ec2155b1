import { PluginError } from "@quire/core";

/** The fragments a prompt is made of, each with the variables it may use. */
const runtimeFacts = ["operating_system", "terminal_environment"] as const;
export const fragmentVariables = {
  system: runtimeFacts,
  tools: [...runtimeFacts, "SKILLS_LIST"],
  codemode: [...runtimeFacts, "SKILLS_LIST"],
  subagents: ["LIST_SUBAGENTS"],
  skills: ["SKILLS_LIST"],
  compact: runtimeFacts,
} as const;

export type FragmentName = keyof typeof fragmentVariables;
export const fragmentNames = Object.keys(fragmentVariables) as readonly FragmentName[];

/**
 * Refuses a fragment that holds a `{{` which does not begin one of its variables, exactly written.
 * @param file Where the fragment stands; absent for a bundled one.
 * @throws {PluginError} `fragment-variable-unknown` with the fragment, the token and its line.
 */
export function checkVariables(name: FragmentName, text: string, file?: string): void {
  const allowed: readonly string[] = fragmentVariables[name];
  for (let at = text.indexOf("{{"); at >= 0; at = text.indexOf("{{", at + 2)) {
    const known = allowed.find((variable) => text.startsWith(`{{${variable}}}`, at));
    if (known !== undefined) continue;
    throw new PluginError({
      code: "fragment-variable-unknown",
      level: "error",
      message: `The fragment ${name}.md holds ${tokenAt(text, at)}, which is none of its variables`,
      ...(file === undefined ? {} : { at: { kind: "file", file, line: text.slice(0, at).split("\n").length } }),
      fix: `It may use ${allowed.map((variable) => `{{${variable}}}`).join(", ")}, written exactly so`,
    });
  }
}

/** Puts values in place of variables; a variable without a value stays for the layout. */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (token, name: string) => values[name] ?? token);
}

/** The whole of a token, or as much of its line as tells which one is meant. */
function tokenAt(text: string, at: number): string {
  const line = text.slice(at).split(/\r?\n/, 1)[0] ?? "";
  const end = line.indexOf("}}");
  return end === -1 ? line.slice(0, 40) : line.slice(0, end + 2);
}
