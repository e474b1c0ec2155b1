import type { PermissionRequest } from "@quire/core";
import { commandGuesses } from "./command-guesses.js";
import { commandParts } from "./command-parts.js";
import type { MainArgument } from "./main-argument.js";
import { fitsPath } from "./path-pattern.js";
import type { Rule } from "./rule.js";
import { namesTool } from "./rule.js";
import { fitsWildcard } from "./wildcard.js";

type Call = Pick<PermissionRequest, "tool" | "call" | "home">;

/** Tools that come to the same files by another way: a rule with a path for the one restricts the other as well. */
const kin: Readonly<Record<string, string>> = { grep: "read", find: "read", ls: "read", edit: "write", write: "edit" };

/** The first rule that speaks of this call, for `deny` and `ask`: in doubt a rule fits. */
export function findRestriction(rules: readonly Rule[], call: Call, argument: MainArgument): Rule | undefined {
  const own = argument.kind === "path" ? restrictionsFor(rules, call) : rulesFor(rules, call);
  if (own.length === 0) return undefined;
  const guesses = argument.kind === "command" ? commandGuesses(argument.text) : [];
  return own.find(({ pattern }) => {
    if (pattern === null) return true;
    if (argument.kind === "command") return guesses.some((guess) => fitsWildcard(pattern, guess));
    if (argument.kind === "other") return fitsWildcard(pattern, argument.text);
    const names = argument.real === null ? [argument.written] : [argument.written, argument.real];
    return names.some((name) => fitsPath(pattern, name, call.home));
  });
}

/** Whether rules permit all of this call, for `allow`: in doubt they do not. */
export function isPermitted(rules: readonly Rule[], call: Call, argument: MainArgument): boolean {
  const own = rulesFor(rules, call);
  if (own.some(({ pattern }) => pattern === null)) return true;
  const patterns = own.flatMap(({ pattern }) => (pattern === null ? [] : [pattern]));
  if (patterns.length === 0) return false;
  if (argument.kind === "other") return patterns.some((pattern) => fitsWildcard(pattern, argument.text));
  if (argument.kind === "path") {
    const { real } = argument;
    return real !== null && patterns.some((pattern) => fitsPath(pattern, real, call.home));
  }
  const parts = commandParts(argument.text);
  if (parts === null || parts.length === 0) return false;
  return parts.every((part) => patterns.some((pattern) => fitsWildcard(pattern, part)));
}

/** A rule for `read` on a path also speaks of what greps it, finds there or lists it; one for `write` of `edit`. */
function restrictionsFor(rules: readonly Rule[], call: Call): readonly Rule[] {
  const other = kin[call.tool.replace("tools-files/", "")];
  if (other === undefined) return rulesFor(rules, call);
  const asOther = { name: other, fullName: `tools-files/${other}` };
  const own = rulesFor(rules, call);
  return rules.filter((rule) => own.includes(rule) || (rule.pattern !== null && namesTool(rule, asOther)));
}

function rulesFor(rules: readonly Rule[], { tool, call }: Call): readonly Rule[] {
  return rules.filter((rule) => namesTool(rule, { name: call.name, fullName: tool }));
}
