import { estimateTokens } from "@quire/core";
import template from "../../prompts/provider-rehearsal/answer.md";
import connect from "../../prompts/provider-rehearsal/connect.md";
import noTour from "../../prompts/provider-rehearsal/no-tour.md";
import { describeVisit, shorten } from "./findings.js";
import type { RehearsalBody } from "./provider.js";
import { systemOutline } from "./system-outline.js";
import type { Tour } from "./tour.js";

/** The end of the turn: that no model was asked, what it would have got, what the tour found, how to connect one. */
export function finalAnswer(body: RehearsalBody, tour: Tour): string {
  const parts: Readonly<Record<string, string>> = {
    sent: describeRequest(body, tour),
    found: tour.visits.length === 0 ? noTour.trim() : list(tour.visits.map(describeVisit)),
    connect: connect.trim(),
  };
  return template.trim().replaceAll(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
}

function describeRequest({ system, tools, messages, tail }: RehearsalBody, tour: Tour): string {
  const size = (text: string): string => `${Buffer.byteLength(text)} bytes, about ${estimateTokens(text)} tokens`;
  const blocks = systemOutline(system.text).map(
    ({ firstLine, sizeBytes }) => `  - ${code(shorten(firstLine, 72))} (${sizeBytes} bytes)`,
  );
  const regions = system.regions.map(({ kind, start, end }) => `${kind} ${end - start}`).join(", ");
  const names = tools.map(({ name }) => name).join(", ");
  return list([
    `System text: ${size(system.text)}${regions === "" ? "" : `; cacheable regions in bytes: ${regions}`}`,
    ...(blocks.length === 0 ? [] : [`Its blocks, each by its first line:\n${blocks.join("\n")}`]),
    tools.length === 0 ? "Tools: none" : `Tools (${tools.length}): ${names}; ${size(JSON.stringify(tools))}`,
    `Conversation: ${messages.length} messages; ${size(JSON.stringify(messages))}`,
    ...(tail === "" ? [] : [`Behind it, never stored: ${size(tail)}`]),
    `Your words: ${code(shorten(tour.question))}`,
  ]);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** As inline code, with a fence longer than any run of backticks inside. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return fence.length === 1 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
