import type { Diagnostic, ResolvedSection } from "@quire/core";
import { contentText } from "../prompt/content-text.js";
import type { Variant } from "./circumstances.js";
import { findMark, type Mark } from "./leaks.js";
import type { Looks, View } from "./look.js";

/** What `agent sections check` says of one section. */
export interface Verdict {
  readonly name: string;
  readonly plugin: string;
  readonly cache: "memoized" | "volatile";
  readonly scope: "global" | "session";
  readonly findings: readonly Diagnostic[];
}

/** A change, and how the sections looked before and after it. */
export interface Seen {
  readonly variant: Variant;
  readonly looks: Looks;
}

/**
 * Holds each section to its cache tag. Pure.
 * @param marks What a global section may not hold.
 * @returns Sections of the prompt in its order, then those that appeared or failed after a change.
 */
export function judgeSections(seen: readonly Seen[], marks: readonly Mark[]): readonly Verdict[] {
  const views = seen.flatMap(({ looks }) => [looks.before, looks.kept, looks.fresh]);
  const sections = new Map<string, ResolvedSection>();
  for (const { sections: found } of views) {
    for (const [name, section] of found) if (!sections.has(name)) sections.set(name, section);
  }
  const failures = failuresOf(views);
  const base = seen[0]?.looks.before;
  return [...new Set([...sections.keys(), ...failures.keys()])].map((name): Verdict => {
    const section = sections.get(name);
    const failed = failures.get(name) ?? [];
    const plugin = section?.origin.plugin ?? section?.owner ?? failed[0]?.plugin ?? "host";
    const isMemoized = section?.cache === "memoized";
    const scope = section?.scope ?? "session";
    const findings =
      section === undefined || !isMemoized || failed.length > 0
        ? []
        : [
            ...keyFindings(section, plugin, seen),
            ...(scope === "global" ? leakFindings(section, plugin, seen, marks) : []),
          ];
    const inversions = (base?.diagnostics ?? []).filter(
      (found) => found.code === "cache-inversion" && found.section === name,
    );
    const owned = (found: Diagnostic): Diagnostic => ({
      ...found,
      level: "error",
      plugin,
      message: `Section "${name}" of "${plugin}": ${found.message}`,
    });
    return {
      name,
      plugin,
      cache: isMemoized ? "memoized" : "volatile",
      scope,
      findings: [...failed.map(owned), ...findings, ...inversions.map(owned)],
    };
  });
}

/** Sections that failed in any circumstances, each once. */
function failuresOf(views: readonly View[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>();
  for (const diagnostic of views.flatMap(({ diagnostics }) => diagnostics)) {
    const { section, level, code } = diagnostic;
    if (section === undefined || level !== "error") continue;
    const list = found.get(section) ?? [];
    if (!list.some((earlier) => earlier.code === code)) list.push(diagnostic);
    found.set(section, list);
  }
  return found;
}

function keyFindings({ name, scope }: ResolvedSection, plugin: string, seen: readonly Seen[]): readonly Diagnostic[] {
  const stale = seen.filter(({ variant, looks }) => {
    if (variant.globalOnly && scope !== "global") return false;
    return bytesOf(looks.kept, name) !== bytesOf(looks.fresh, name);
  });
  const [first] = stale;
  if (first === undefined) return [];
  const isRandom = stale.some(({ variant }) => variant.name === "again");
  const when = isRandom ? "a second time" : listed(stale.map(({ variant }) => variant.words));
  return [
    {
      code: "key-incomplete",
      level: "error",
      message: `The memoized section "${name}" of "${plugin}" has other bytes when it is computed ${when}, under an equal key`,
      section: name,
      plugin,
      fix: isRandom
        ? "Compute it from its context alone, without clock and chance, or tag it { volatile: reason }"
        : `Put what it depends on into key(context), or tag it { volatile: reason }; ${shownChange(first.looks, name)}`,
    },
  ];
}

function leakFindings(
  { name }: ResolvedSection,
  plugin: string,
  seen: readonly Seen[],
  marks: readonly Mark[],
): readonly Diagnostic[] {
  const global = `The section "${name}" of "${plugin}" is tagged global, equal for every user and project,`;
  const fix = 'Leave it out of the text, or give the section scope "session"';
  const finding = (message: string): Diagnostic => {
    return { code: "global-leak", level: "error", message, section: name, plugin, fix };
  };
  const first = seen[0]?.looks.before.sections.get(name);
  const mark = first === undefined ? undefined : findMark(contentText(first), marks);
  if (mark !== undefined) return [finding(`${global} and holds a ${mark.kind}: ${mark.text}`)];
  const moved = seen.filter(
    ({ variant, looks }) =>
      variant.boundsGlobal && variant.name !== "again" && bytesOf(looks.before, name) !== bytesOf(looks.fresh, name),
  );
  if (moved.length === 0) return [];
  return [finding(`${global} and has other bytes ${listed(moved.map(({ variant }) => variant.words))}`)];
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** The bytes a section stands for; undefined when it is not there. */
function bytesOf({ sections }: View, name: string): string | undefined {
  const section = sections.get(name);
  if (section === undefined) return undefined;
  const parts = [...section.prepended, ...section.appended].map(({ text }) => text);
  return JSON.stringify([section.content, parts]);
}

/** The first line that differs between what the memo kept and what is true. */
function shownChange({ kept, fresh }: Looks, name: string): string {
  const lines = ({ sections }: View) => {
    const section = sections.get(name);
    return section === undefined ? [] : contentText(section).split("\n");
  };
  const [was, is] = [lines(kept), lines(fresh)];
  const at = Math.max(
    0,
    is.findIndex((line, index) => line !== was[index]),
  );
  const shown = (line: string | undefined) => (line === undefined ? "nothing" : JSON.stringify(line.slice(0, 80)));
  return `it kept ${shown(was[at])} where ${shown(is[at])} is true`;
}
