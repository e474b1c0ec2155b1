import type { Diagnostic } from "@quire/core";
import type { IotaOptions } from "./options.js";

/** Built-in sets that bring the harness when they are written. */
const knownSets = ["shell", "code", "skills", "ask"] as const;
type ToolSet = (typeof knownSets)[number];

export interface WrittenSets {
  /** Those written with a value other than `false`. */
  readonly sets: ReadonlySet<ToolSet>;
  readonly problems: readonly Omit<Diagnostic, "plugin">[];
}

/** What `tools:` writes. A set that the host turns on by itself is not written, and a name of no set counts for nothing. */
export function writtenSets(tools: IotaOptions["tools"] = {}): WrittenSets {
  const names = Object.keys(tools);
  const problems = names.filter((name) => !isKnown(name)).map(unknownSet);
  return { sets: new Set(names.filter(isKnown).filter((name) => tools[name] !== false)), problems };
}

function isKnown(name: string): name is ToolSet {
  return knownSets.some((known) => known === name);
}

function unknownSet(name: string): Omit<Diagnostic, "plugin"> {
  return {
    code: "tool-set-unknown",
    level: "warn",
    message: `There is no built-in tool set "${name}"; it brings nothing into the prompt`,
    fix: `Write one of: ${knownSets.join(", ")}`,
  };
}
