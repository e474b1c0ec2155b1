import type { Entering } from "../async/entering.js";
import { bounded, TimeLimitError } from "../async/bounded.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Files, LeftOut } from "../contracts/host.js";
import type { ResolvedSection, SectionPart } from "../contracts/layout.js";
import type { Audience, SectionContent, SectionContext } from "../contracts/section.js";
import { pluginError, toDiagnostic } from "../errors.js";
import { byteLength } from "../text/utf8.js";
import { contentProblem, contentText, toContent } from "./content.js";
import type { Memo } from "./memo.js";
import type { PlannedPart, PlannedSection } from "./plan.js";
import { createPlace, isUnchanged, type PlaceFacts, type Reads } from "./tracked-place.js";

export interface ResolveInput {
  readonly facts: PlaceFacts;
  readonly files: Files;
  /** All of a section's context but the place. */
  readonly about: Omit<SectionContext, keyof PlaceFacts | "read" | "list">;
  readonly memo: Memo;
  readonly globalMemo: Memo;
  readonly timeScale: number;
  readonly signal: AbortSignal;
  readonly within: Entering["within"];
}

export interface Resolution {
  readonly sections: readonly ResolvedSection[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Value {
  readonly content: SectionContent | null;
  readonly state: ResolvedSection["state"];
  /** Of no content. */
  readonly why: LeftOut["why"];
}

/**
 * Computes all sections side by side, each bounded and isolated; results land in the order given.
 * @throws {PluginError} `section-required` when a required section fails.
 */
export async function resolveSections(planned: readonly PlannedSection[], input: ResolveInput): Promise<Resolution> {
  const outcomes = await Promise.all(
    planned.map(async (section) => {
      const found: Diagnostic[] = [];
      return { planned: section, found, result: await resolveSection(section, input, found) };
    }),
  );
  const leftOut = outcomes.flatMap(({ planned, result, found }): LeftOut[] => {
    if (typeof result !== "string") return [];
    if (planned.body.required === true && result === "failed") throw requiredFailed(planned, found[0]);
    return [{ section: planned.name, why: result }];
  });
  return {
    sections: outcomes.flatMap(({ result }) => (typeof result === "string" ? [] : [result])),
    leftOut,
    diagnostics: outcomes.flatMap(({ found }) => found),
  };
}

function requiredFailed({ name, by, owner }: PlannedSection, cause: Diagnostic | undefined): Error {
  const message = `The required section "${name}" failed: ${cause?.message ?? "no content"}`;
  const fix = `Mend it, or start with --no-section ${name}`;
  return pluginError("section-required", message, { plugin: by.plugin ?? owner, section: name, fix });
}

/** The section, or why there is none. */
async function resolveSection(
  planned: PlannedSection,
  input: ResolveInput,
  found: Diagnostic[],
): Promise<ResolvedSection | LeftOut["why"]> {
  const { name, slot, owner, scope, by: origin, body } = planned;
  const audience: readonly Audience[] = body.audience ?? ["main", "subagent"];
  if (!audience.includes(input.about.audience)) return "audience";
  const memo = scope === "global" ? input.globalMemo : input.memo;
  const { content, state, why } = await computeValue(planned, planned.wraps, memo, input, found);
  if (content === null) return why;
  const [prepended, appended] = await Promise.all(
    [planned.prepended, planned.appended].map((parts) => resolveParts(parts, input, found)),
  );
  const texts = { prepended: prepended ?? [], appended: appended ?? [] };
  return { name, slot, owner, cache: body.cache, scope, content, origin, state, ...texts };
}

async function resolveParts(
  parts: readonly PlannedPart[],
  input: ResolveInput,
  found: Diagnostic[],
): Promise<readonly SectionPart[]> {
  const values = await Promise.all(parts.map((part) => computeValue(part, [], input.memo, input, found)));
  return parts.flatMap(({ name, by }, index) => {
    const content = values[index]?.content ?? null;
    // A fresh origin object each: the renderer recognises the part by it.
    return content === null ? [] : [{ name, text: contentText(content), origin: { ...by } }];
  });
}

async function computeValue(
  source: PlannedPart,
  wraps: PlannedSection["wraps"],
  memo: Memo,
  input: ResolveInput,
  found: Diagnostic[],
): Promise<Value> {
  const { name, body, by } = source;
  const { facts, files, about, signal, within } = input;
  const limitMs = Math.min(body.timeoutMs ?? maxComputeMs, maxComputeMs) * input.timeScale;
  const isMemoized = body.cache === "memoized";
  const earlier = memo.get(name);
  const keep = memo.begin(name);
  try {
    const looking: SectionContext = { ...about, ...createPlace(facts, files) };
    const key = await within(by.plugin, () =>
      body.when === undefined || body.when(looking) ? (body.key?.(looking) ?? "") : null,
    );
    if (key === null) return { content: null, state: "fresh", why: "condition" };
    const isSame = earlier?.key === key && earlier.body === body && earlier.isOutdated !== true;
    if (isMemoized && isSame && (await isUnchanged(earlier.reads, facts, files))) {
      return { content: earlier.content, state: "cached", why: "empty" };
    }
    const reads: Reads = { paths: new Map(), env: new Map() };
    const context: SectionContext = { ...about, ...createPlace(facts, files, reads) };
    const raw = await within(by.plugin, () => bounded((own) => body.compute(context, own), limitMs, signal));
    let content = checked(raw, name);
    let isWhole = true;
    for (const { wrap, by } of wraps) {
      const previous = content;
      if (previous === null) break;
      try {
        content = checked(
          await within(by.plugin, () => bounded((own) => wrap(previous, context, own), limitMs, signal)),
          name,
        );
      } catch (error) {
        signal.throwIfAborted();
        isWhole = false;
        found.push({ ...failure({ name, by }, error), code: "wrap-failed" });
      }
    }
    if (isWhole && (isMemoized || body.onError === "stale")) keep({ content, key, body, reads });
    return { content, state: "fresh", why: "empty" };
  } catch (error) {
    signal.throwIfAborted();
    found.push(failure(source, error));
    const last = body.onError === "stale" ? (earlier?.content ?? null) : null;
    return { content: last, state: "stale", why: "failed" };
  }
}

/** @throws {PluginError} `section-content-invalid`, `section-too-large`. */
function checked(raw: unknown, name: string): SectionContent | null {
  const problem = contentProblem(raw);
  if (problem !== undefined) {
    const fix = 'Return a string, null, or { kind: "text" | "facts" | "items", … }';
    throw pluginError("section-content-invalid", `Section "${name}" returned ${problem}`, { fix });
  }
  const content = toContent(raw as SectionContent | string | null);
  const size = content === null ? 0 : byteLength(contentText(content));
  if (size <= maxContentBytes) return content;
  const message = `Section "${name}" returned ${size} bytes, the limit is ${maxContentBytes}`;
  throw pluginError("section-too-large", message, { fix: "Give the section a budget of its own and return less" });
}

function failure({ name, by }: Pick<PlannedPart, "name" | "by">, error: unknown): Diagnostic {
  const about = { section: name, ...(by.plugin === undefined ? {} : { plugin: by.plugin }) };
  const code = error instanceof TimeLimitError ? "section-timeout" : "section-failed";
  return { ...toDiagnostic(error, { code, at: by }), level: "error", ...about };
}

const maxComputeMs = 2_000;
/** More than any model's window takes; what is larger is a mistake. */
const maxContentBytes = 4_000_000;
