import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { Files, LeftOut } from "../contracts/host.js";
import type { ResolvedSection, SectionPart } from "../contracts/layout.js";
import type { Audience, SectionBody, SectionContent, SectionContext } from "../contracts/section.js";
import { bounded } from "../async/bounded.js";
import { PluginError, toDiagnostic } from "../errors.js";
import { byteLength } from "../text/utf8.js";
import { contentProblem, contentText, toContent } from "./content.js";
import { isSameSource, type Memo, type MemoEntry } from "./memo.js";
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
  entering?(plugin: string | null): void;
}

export interface Resolution {
  readonly sections: readonly ResolvedSection[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

type Outcome = {
  readonly section: ResolvedSection | null;
  readonly why?: LeftOut["why"];
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Computes all sections side by side, each bounded and isolated; results land in the order given.
 * @throws {PluginError} `section-required` when a required section fails.
 */
export async function resolveSections(planned: readonly PlannedSection[], input: ResolveInput): Promise<Resolution> {
  const outcomes = await Promise.all(planned.map((section) => resolveSection(section, input)));
  const sections = outcomes.flatMap((outcome) => (outcome.section === null ? [] : [outcome.section]));
  const leftOut = outcomes.flatMap((outcome, index): LeftOut[] => {
    const name = planned[index]?.name;
    return outcome.section !== null || name === undefined ? [] : [{ section: name, why: outcome.why ?? "empty" }];
  });
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  const required = planned.find(
    (section, index) => section.body.required === true && outcomes[index]?.why === "failed",
  );
  if (required !== undefined) {
    const cause = diagnostics.find((diagnostic) => diagnostic.section === required.name);
    throw new PluginError({
      code: "section-required",
      level: "error",
      message: `The required section "${required.name}" failed: ${cause?.message ?? "no content"}`,
      plugin: required.by.plugin ?? required.owner,
      section: required.name,
      fix: `Mend it, or start with --no-section ${required.name}`,
    });
  }
  return { sections, leftOut, diagnostics };
}

async function resolveSection(planned: PlannedSection, input: ResolveInput): Promise<Outcome> {
  const { body, name, by } = planned;
  const audience: readonly Audience[] = body.audience ?? ["main", "subagent"];
  if (!audience.includes(input.about.audience)) return { section: null, why: "audience", diagnostics: [] };
  const memo = planned.scope === "global" ? input.globalMemo : input.memo;
  const value = await computeValue({ name, body, by, hash: planned.hash, wraps: planned.wraps }, memo, input);
  if (value.content === null) return { section: null, why: value.why ?? "empty", diagnostics: value.diagnostics };
  const before = await resolveParts(planned.prepended, input);
  const after = await resolveParts(planned.appended, input);
  const section: ResolvedSection = {
    name,
    slot: planned.slot,
    owner: planned.owner,
    cache: body.cache,
    scope: planned.scope,
    content: value.content,
    origin: by,
    state: value.state,
    prepended: before.parts,
    appended: after.parts,
  };
  return { section, diagnostics: [...value.diagnostics, ...before.diagnostics, ...after.diagnostics] };
}

async function resolveParts(
  parts: readonly PlannedPart[],
  input: ResolveInput,
): Promise<{ parts: readonly SectionPart[]; diagnostics: readonly Diagnostic[] }> {
  const values = await Promise.all(parts.map((part) => computeValue({ ...part, wraps: [] }, input.memo, input)));
  return {
    parts: parts.flatMap((part, index) => {
      const content = values[index]?.content ?? null;
      // A fresh origin object each: the renderer recognises the part by it.
      return content === null ? [] : [{ name: part.name, text: contentText(content), origin: { ...part.by } }];
    }),
    diagnostics: values.flatMap((value) => value.diagnostics),
  };
}

interface Source {
  readonly name: string;
  readonly body: SectionBody;
  readonly by: Origin;
  readonly hash: string;
  readonly wraps: PlannedSection["wraps"];
}

interface Value {
  readonly content: SectionContent | null;
  readonly state: ResolvedSection["state"];
  readonly why?: LeftOut["why"];
  readonly diagnostics: readonly Diagnostic[];
}

async function computeValue(source: Source, memo: Memo, input: ResolveInput): Promise<Value> {
  const { name, body } = source;
  const isMemoized = body.cache === "memoized";
  const reads: Reads = { paths: new Map(), env: new Map() };
  const context: SectionContext = { ...input.about, ...createPlace(input.facts, input.files, reads) };
  const earlier = memo.get(name);
  try {
    input.entering?.(source.by.plugin ?? null);
    if (body.when !== undefined && !body.when(context))
      return { content: null, state: "fresh", why: "condition", diagnostics: [] };
    const key = body.key?.(context) ?? "";
    const identity = { body, key, hash: source.hash, wraps: source.wraps.map(({ wrap }) => wrap) };
    if (
      isMemoized &&
      earlier !== undefined &&
      isSameSource(earlier, identity) &&
      (await isUnchanged(earlier.reads, input.facts, input.files))
    ) {
      return { content: earlier.content, state: "cached", diagnostics: [] };
    }
    reads.paths.clear();
    reads.env.clear();
    input.entering?.(source.by.plugin ?? null);
    const timeoutMs = Math.min(body.timeoutMs ?? maxComputeMs, maxComputeMs) * input.timeScale;
    const raw = await bounded((signal) => body.compute(context, signal), timeoutMs, input.signal);
    const wrapped = await applyWraps(source, checked(raw, name), context, timeoutMs, input);
    const entry: MemoEntry = { ...identity, content: wrapped.content, reads };
    if (isMemoized || body.onError === "stale") memo.set(name, entry);
    return { content: wrapped.content, state: "fresh", diagnostics: wrapped.diagnostics };
  } catch (error) {
    input.signal.throwIfAborted();
    const diagnostics = [failure(source, error)];
    if (body.onError === "stale" && earlier?.content != null)
      return { content: earlier.content, state: "stale", diagnostics };
    return { content: null, state: "fresh", why: "failed", diagnostics };
  } finally {
    input.entering?.(null);
  }
}

async function applyWraps(
  source: Source,
  first: SectionContent | null,
  context: SectionContext,
  timeoutMs: number,
  input: ResolveInput,
): Promise<{ content: SectionContent | null; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  let content = first;
  for (const { wrap, by } of source.wraps) {
    if (content === null) break;
    const previous = content;
    try {
      input.entering?.(by.plugin ?? null);
      content = checked(
        await bounded((signal) => wrap(previous, context, signal), timeoutMs, input.signal),
        source.name,
      );
    } catch (error) {
      input.signal.throwIfAborted();
      diagnostics.push({ ...failure({ ...source, by }, error), code: "wrap-failed" });
    }
  }
  return { content, diagnostics };
}

/** @throws {PluginError} `section-content-invalid`, `section-too-large`. */
function checked(raw: unknown, name: string): SectionContent | null {
  const problem = contentProblem(raw);
  if (problem !== undefined) {
    const fix = 'Return a string, null, or { kind: "text" | "facts" | "items", … }';
    throw new PluginError({
      code: "section-content-invalid",
      level: "error",
      message: `Section "${name}" returned ${problem}`,
      fix,
    });
  }
  const content = toContent(raw as SectionContent | string | null);
  const size = content === null ? 0 : byteLength(contentText(content));
  if (size <= maxContentBytes) return content;
  const message = `Section "${name}" returned ${size} bytes, the limit is ${maxContentBytes}`;
  throw new PluginError({
    code: "section-too-large",
    level: "error",
    message,
    fix: "Give the section a budget of its own and return less",
  });
}

function failure(source: Source, error: unknown): Diagnostic {
  const who = source.by.plugin === undefined ? {} : { plugin: source.by.plugin };
  const isTimeout = error instanceof Error && error.name === "TimeLimitError";
  const found = toDiagnostic(error, {
    code: isTimeout ? "section-timeout" : "section-failed",
    section: source.name,
    at: source.by,
    ...who,
  });
  return { ...found, level: "error", section: source.name, ...who };
}

const maxComputeMs = 2_000;
/** More than any model's window takes; what is larger is a mistake. */
const maxContentBytes = 4_000_000;
