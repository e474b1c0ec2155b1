import type { Config, ToolCall } from "@quire/core";
import closer from "../../prompts/provider-rehearsal/closer.md";
import opening from "../../prompts/provider-rehearsal/opening.md";
import { finalAnswer } from "./answer.js";
import { entryNames } from "./findings.js";
import type { RehearsalBody } from "./provider.js";
import { searchWord } from "./search-word.js";
import { readTour } from "./tour.js";
import type { Tour } from "./tour.js";

/** What is said, and which tools are called; without calls the turn ends. */
export interface Step {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/**
 * What comes next in the turn: the folder first, then what stands out in it and a word of the question, then the
 * answer. Only declared tools are called.
 */
export function nextStep(body: RehearsalBody): Step {
  const tour = readTour(body.messages);
  const hasTool = (name: string): boolean => body.tools.some((tool) => tool.name === name);
  if (tour.answers === 0 && hasTool("ls")) return step(opening, [["ls", { path: "." }]], tour);
  if (tour.answers === 1) {
    const calls = closerLook(tour).filter(([name]) => hasTool(name));
    if (calls.length > 0) return step(closer, calls, tour);
  }
  return { text: finalAnswer(body, tour), calls: [] };
}

type Call = readonly [name: string, args: Config];

function closerLook(tour: Tour): readonly Call[] {
  const names = entryNames(tour.visits);
  const readme = names.find((name) => /^readme(\.(md|markdown|rst|txt))?$/i.test(name));
  const manifest = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod"].find((name) => names.includes(name));
  const word = searchWord(tour.question);
  return [
    ...(readme === undefined ? [] : [["read", { path: readme, limit: 40 }] as const]),
    ...(manifest === undefined ? [] : [["read", { path: manifest, limit: 200 }] as const]),
    ...(word === undefined ? [] : [["grep", { pattern: word.replaceAll(/[$.]/g, String.raw`\$&`) }] as const]),
  ];
}

function step(text: string, calls: readonly Call[], tour: Tour): Step {
  return {
    text: text.trim(),
    calls: calls.map(([name, args], index) => ({
      type: "tool-call",
      id: `rehearsal-${tour.callsEver + index + 1}`,
      name,
      args,
    })),
  };
}
