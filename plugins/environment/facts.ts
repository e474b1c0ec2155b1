import type { SectionContent, SectionContext } from "@quire/core";

/** What the place can tell, each a plain value of one line. */
export type EnvironmentFacts = Pick<SectionContext, "cwd" | "projectRoot" | "platform" | "shell" | "today">;

/** The facts in the order they are shown, each with its label. */
export const defaultFacts: readonly (readonly [fact: keyof EnvironmentFacts, label: string])[] = [
  ["cwd", "working directory"],
  ["projectRoot", "project root"],
  ["platform", "platform"],
  ["shell", "shell"],
  ["today", "date"],
];

/** The chosen facts under their labels, one line each. */
export function environmentContent(
  place: EnvironmentFacts,
  chosen: typeof defaultFacts = defaultFacts,
): SectionContent {
  return { kind: "facts", facts: chosen.map(([fact, label]) => [label, oneLine(place[fact])] as const) };
}

/** Differs whenever a chosen fact does: the date too, so a new day gives a new value. */
export function environmentKey(place: EnvironmentFacts, chosen: typeof defaultFacts = defaultFacts): string {
  return JSON.stringify(chosen.map(([fact]) => place[fact]));
}

/** A folder's name may hold a line break, which would look like one more fact. */
function oneLine(value: string): string {
  return value.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}
