import type { Diagnostic } from "../contracts/diagnostic.js";
import type { LeftOut } from "../contracts/host.js";
import type { Layout, Pieces, ResolvedSection } from "../contracts/layout.js";
import { toDiagnostic } from "../errors.js";
import { cacheInversions } from "../layout/regions.js";
import { placeSections, unplacedSlots } from "../layout/place-sections.js";
import { renderPrompt } from "../layout/render-prompt.js";
import { applyBudget } from "../sections/budget.js";
import type { PlannedSection } from "../sections/plan.js";
import { estimateTokens } from "../tokens/estimate-tokens.js";

export interface Assembly {
  readonly pieces: Pieces;
  readonly prefix: readonly ResolvedSection[];
  readonly deltas: readonly ResolvedSection[];
  readonly tail: readonly ResolvedSection[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Budget and layout: resolved sections become a prefix, what is told beside it, and a tail. Pure. */
export function assemble(
  layout: Layout,
  owner: string,
  sections: readonly ResolvedSection[],
  planned: ReadonlyMap<string, PlannedSection>,
  maxTokens: number | undefined,
): Assembly {
  const leftOut: LeftOut[] = [];
  const diagnostics: Diagnostic[] = [];
  const kept = sections.flatMap((section) => {
    try {
      const result = applyBudget(section, planned.get(section.name)?.body.budget);
      diagnostics.push(...result.diagnostics);
      if (result.section !== null) return [result.section];
      leftOut.push({ section: section.name, why: "budget" });
    } catch (error) {
      if (planned.get(section.name)?.body.required === true) throw error;
      diagnostics.push(toDiagnostic(error, { code: "budget-failed", section: section.name }));
      leftOut.push({ section: section.name, why: "failed" });
    }
    return [];
  });
  const ordered = placeSections(layout, kept).flatMap((group) => group.sections);
  const delivery = (section: ResolvedSection) =>
    section.cache === "memoized" ? "prefix" : (section.cache.deliver ?? "delta");
  const isInPlace = (section: ResolvedSection) => delivery(section) === "prefix" || section.origin.kind === "turn";
  let prefix = ordered.filter(isInPlace);
  let pieces = renderPrompt(layout, owner, prefix);
  if (maxTokens !== undefined) {
    const shed = shedToLimit(layout, owner, prefix, planned, maxTokens);
    prefix = [...shed.prefix];
    pieces = shed.pieces;
    diagnostics.push(...shed.diagnostics);
    leftOut.push(...shed.leftOut);
  }
  for (const slot of unplacedSlots(layout, prefix)) {
    const message = `The layout "${layout.name}" does not name the slot "${slot}"; its sections stand before "end"`;
    diagnostics.push({
      code: "slot-unplaced",
      level: "info",
      message,
      fix: `Use one of: ${layout.slots.map((entry) => entry.slot).join(", ")}`,
    });
  }
  return {
    pieces,
    prefix,
    deltas: ordered.filter((section) => !isInPlace(section) && delivery(section) === "delta"),
    tail: ordered.filter((section) => !isInPlace(section) && delivery(section) === "tail"),
    leftOut,
    diagnostics: [...diagnostics, ...cacheInversions(pieces, prefix)],
  };
}

/** Over the prompt's limit the lowest priority goes first, required sections never. */
function shedToLimit(
  layout: Layout,
  owner: string,
  sections: readonly ResolvedSection[],
  planned: ReadonlyMap<string, PlannedSection>,
  maxTokens: number,
): { prefix: readonly ResolvedSection[]; pieces: Pieces; leftOut: LeftOut[]; diagnostics: Diagnostic[] } {
  const priority = (section: ResolvedSection) => planned.get(section.name)?.body.priority ?? 0;
  const isRequired = (section: ResolvedSection) => planned.get(section.name)?.body.required === true;
  const leftOut: LeftOut[] = [];
  const diagnostics: Diagnostic[] = [];
  let prefix = sections;
  for (;;) {
    const pieces = renderPrompt(layout, owner, prefix);
    const tokens = estimateTokens(pieces.map((piece) => piece.text).join(""));
    const next = prefix.filter((section) => !isRequired(section)).toSorted((a, b) => priority(a) - priority(b))[0];
    if (tokens <= maxTokens || next === undefined) {
      if (tokens > maxTokens) {
        const message = `The prompt has about ${tokens} tokens, prompt.max_tokens is ${maxTokens}, and only required sections are left`;
        diagnostics.push({ code: "prompt-too-large", level: "warn", message });
      }
      return { prefix, pieces, leftOut, diagnostics };
    }
    prefix = prefix.filter((section) => section !== next);
    leftOut.push({ section: next.name, why: "budget" });
    const message = `Section "${next.name}" is left out: the prompt has about ${tokens} tokens, prompt.max_tokens is ${maxTokens}`;
    diagnostics.push({
      code: "section-shed",
      level: "warn",
      message,
      section: next.name,
      fix: "Raise prompt.max_tokens, or shorten a section",
    });
  }
}
