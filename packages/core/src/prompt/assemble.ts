import type { Diagnostic, ResolvedSection, SectionBody } from "../index.js";
import type { LeftOut } from "../host-door.js";
import { defined } from "../plain-data.js";
import { notice, toDiagnostic, warning } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { cacheInversions } from "../layout/regions.js";
import { piecesText } from "../layout/piece-builder.js";
import { placeSections, unplacedSlots } from "../layout/place-sections.js";
import { renderPrompt } from "../layout/render-prompt.js";
import { applyBudget } from "../sections/budget.js";
import { contentText } from "../sections/content.js";
import { didYouMean, nearest } from "../text/nearest.js";
import { byteLength } from "../text/bytes.js";
import { estimateTokens } from "../tokens/estimate-tokens.js";

export type Assembly = ReturnType<typeof assemble>;

/**
 * Budget and layout: resolved sections become a prefix, what is told beside it, and a tail. Pure.
 * @throws {PluginError} The layout, or the budget of a required section, failed.
 */
export function assemble(
  { layout, config, plan }: Pick<HostCore, "layout" | "config" | "plan">,
  sections: readonly ResolvedSection[],
) {
  const bodies = new Map(plan.sections.map(({ name, body }) => [name, body]));
  const leftOut: LeftOut[] = [];
  const diagnostics: Diagnostic[] = [];
  const kept = sections.flatMap((section) => {
    const { budget, required } = bodies.get(section.name) ?? {};
    if (budget === undefined) return [section];
    try {
      const result = applyBudget(section, budget);
      if (result.finding !== undefined) diagnostics.push(result.finding);
      if (result.section !== null) return [result.section];
      leftOut.push({ section: section.name, why: "budget" });
    } catch (error) {
      if (required === true) throw error;
      diagnostics.push(toDiagnostic(error, { code: "budget-failed", section: section.name, plugin: section.owner }));
      leftOut.push({ section: section.name, why: "failed" });
    }
    return [];
  });
  const ordered = placeSections(layout.spec, kept).flatMap((group) => group.sections);
  const delivered = (way: "prefix" | "delta" | "tail") =>
    ordered.filter(({ cache, origin }) => {
      const isInPlace = cache === "memoized" || origin.kind === "turn";
      return (isInPlace ? "prefix" : (cache.deliver ?? "delta")) === way;
    });
  let prefix = delivered("prefix");
  let pieces = renderPrompt(layout, prefix);
  const { maxTokens } = config;
  // Over the prompt's limit the lowest priority is shortened to its floor, then goes; required sections never do.
  const isTooLarge = (text: string) => maxTokens !== Infinity && estimateTokens(text) > maxTokens;
  for (let text = piecesText(pieces); isTooLarge(text); text = piecesText(pieces)) {
    const tokens = estimateTokens(text);
    const seen = `the prompt has about ${tokens} tokens, prompt.max_tokens is ${maxTokens}`;
    const optional = prefix.filter(({ name }) => bodies.get(name)?.required !== true);
    const priority = ({ name }: ResolvedSection) => bodies.get(name)?.priority ?? 0;
    const next = optional.toSorted((a, b) => priority(a) - priority(b))[0];
    if (next === undefined) {
      diagnostics.push(warning("prompt-too-large", `Only required sections are left, and ${seen}`));
      break;
    }
    const { name } = next;
    const lessBytes = Math.ceil(((tokens - maxTokens) * byteLength(text)) / tokens);
    const whole = sections.find((section) => section.name === name) ?? next;
    const shorter = shorten(whole, byteLength(contentText(next.content)), lessBytes, bodies.get(name));
    prefix = prefix.flatMap((section) => (section === next ? (shorter ?? []) : [section]));
    pieces = renderPrompt(layout, prefix);
    const more = { section: name, fix: "Raise prompt.max_tokens, or shorten a section" };
    if (shorter === null) leftOut.push({ section: name, why: "budget" });
    const [code, what] = shorter === null ? ["section-shed", "left out"] : ["section-cut", "shortened"];
    diagnostics.push(warning(code, `Section "${name}" is ${what}: ${seen}`, more));
  }
  for (const slot of unplacedSlots(layout.spec, prefix)) {
    const message = `The layout "${layout.spec.name}" does not name the slot "${slot}"; its sections stand before "end"`;
    const slots = layout.spec.slots.map((entry) => entry.slot);
    const fix = didYouMean(slot, slots, `Use one of: ${slots.join(", ")}`);
    const tell = nearest(slot, slots) === undefined ? notice : warning;
    diagnostics.push(tell("slot-unplaced", message, { fix }));
  }
  const shown = new Set(pieces.map(({ section }) => section));
  for (const { name } of prefix) if (!shown.has(name)) leftOut.push({ section: name, why: "condition" });
  prefix = prefix.filter(({ name }) => shown.has(name));
  diagnostics.push(...cacheInversions(pieces, prefix));
  const [deltas, tail] = [delivered("delta"), delivered("tail")];
  const told = ordered.flatMap(
    (one) => prefix.find(({ name }) => name === one.name) ?? (deltas.includes(one) ? one : []),
  );
  return { pieces, told, prefix, deltas, tail, leftOut, diagnostics };
}

const lastOf = new WeakMap<object, { readonly sections: readonly ResolvedSection[]; readonly assembly: Assembly }>();

/** As `assemble`; what `holder` assembled last is taken again while every section is the very same. */
export function assembleAgain(
  holder: object,
  core: Parameters<typeof assemble>[0],
  sections: readonly ResolvedSection[],
): Assembly {
  const last = lastOf.get(holder);
  const isSame = last?.sections.length === sections.length && sections.every((one, at) => one === last.sections[at]);
  if (isSame) return last.assembly;
  const assembly = assemble(core, sections);
  lastOf.set(holder, { sections, assembly });
  return assembly;
}

/** The section with less content, at least its floor; null when it has none, or stands at it. */
function shorten(
  section: ResolvedSection,
  sizeBytes: number,
  lessBytes: number,
  body: SectionBody | undefined,
): ResolvedSection | null {
  const { minBytes = Infinity, overflow = "drop", keep = "first", marker } = body?.budget ?? {};
  if (sizeBytes <= minBytes || overflow === "drop" || overflow === "fail") return null;
  const maxBytes = Math.max(minBytes, sizeBytes - lessBytes);
  try {
    return applyBudget(section, { overflow, keep, maxBytes, ...defined({ marker }) }).section;
  } catch {
    // The cut marker alone is larger than the floor.
    return null;
  }
}
