import type { Audience, Diagnostic, ResolvedSection, SectionContent, SectionContext, SectionPart } from "../index.js";
import type { LeftOut } from "../host-door.js";
import { frozen } from "../plain-data.js";
import { bounded, TimeLimitError } from "../async/bounded.js";
import { fault, pluginError, toDiagnostic, warning } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { byteLength, sha256 } from "../text/bytes.js";
import { contentProblem, contentText, toContent } from "./content.js";
import type { Memo, MemoEntry } from "./memo.js";
import type { PlannedPart, PlannedSection } from "./plan.js";
import { createPlace, isUnchanged, type PlaceFacts, type Reads } from "./tracked-place.js";

export interface ResolveInput {
  readonly core: Pick<HostCore, "globalMemo" | "timeScale" | "entering" | "options">;
  readonly facts: PlaceFacts;
  /** All of a section's context but the place. */
  readonly about: Omit<SectionContext, keyof PlaceFacts | "read" | "list">;
  readonly memo: Memo;
  readonly signal: AbortSignal;
  /** The turn goes on: a volatile value stands while its key does. */
  readonly isRefresh: boolean;
}

export interface Resolution {
  readonly sections: readonly ResolvedSection[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Computes all sections side by side, each bounded and isolated; results land in the order given.
 * @throws {PluginError} `section-required` when a required section fails.
 */
export async function resolveSections(planned: readonly PlannedSection[], input: ResolveInput): Promise<Resolution> {
  const outcomes = await Promise.all(
    planned.map(async (section) => {
      const found: Diagnostic[] = [];
      const resolved = await resolveSection(section, input, found);
      if (section.body.required !== true || resolved !== "failed") return { name: section.name, resolved, found };
      const { name, owner, by } = section;
      const { message: why = "no content", at, fix } = found[0] ?? {};
      const message = `The required section "${name}" failed: ${why}`;
      throw pluginError("section-required", message, { plugin: by.plugin ?? owner, section: name, at, fix });
    }),
  );
  return {
    sections: outcomes.flatMap(({ resolved }) => (typeof resolved === "string" ? [] : [resolved])),
    leftOut: outcomes.flatMap(({ name: section, resolved: why }) =>
      typeof why === "string" ? [{ section, why }] : [],
    ),
    diagnostics: outcomes.flatMap(({ found }) => found),
  };
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
  const memo = scope === "global" ? input.core.globalMemo : input.memo;
  const standing = standingSection(planned, memo.get(name), input.memo);
  if (standing !== undefined) return standing;
  const { content, state, why } = await computeValue(planned, planned.wraps, memo, input, found);
  if (content === null) return why;
  if (planned.behind !== undefined) {
    const { content: text } = await computeValue(planned.behind, [], input.memo, input, found);
    if (text !== null && sha256(contentText(text)) !== planned.behind.hash) {
      const message = `The text behind the override of section "${name}" has changed since the override was made`;
      const fix = `Compare: agent sections diff ${name}`;
      found.push(warning("override-outdated", message, { section: name, at: origin, fix }));
    }
  }
  const partsOf = async (parts: readonly PlannedPart[]): Promise<readonly SectionPart[]> => {
    const values = await Promise.all(parts.map((part) => computeValue(part, [], input.memo, input, found)));
    return parts.flatMap(({ name, by }, index) => {
      const text = values[index]?.content ?? null;
      // A fresh origin object each: the renderer recognises the part by it.
      return text === null ? [] : [{ name, text: contentText(text), origin: { ...by } }];
    });
  };
  const prepended = await partsOf(planned.prepended);
  const appended = await partsOf(planned.appended);
  const { cache } = body;
  const now = { name, slot, owner, cache, scope, content, origin, state, prepended, appended };
  return sameAsBefore(input.memo, now);
}

/** The section as it was, where nobody has to be asked to know that it stands. */
function standingSection(
  { name, body, behind, prepended, appended }: PlannedSection,
  entry: MemoEntry | undefined,
  { resolved }: Memo,
): ResolvedSection | undefined {
  const last = resolved.get(name);
  const isAsked = body.when !== undefined || body.key !== undefined || body.cache !== "memoized";
  const isPlain = behind === undefined && prepended.length + appended.length === 0;
  if (isAsked || !isPlain || entry === undefined || entry.body !== body || entry.isOutdated === true) return undefined;
  const isFree = entry.reads.paths.size + entry.reads.env.size === 0;
  return isFree && last?.state === "cached" && last.content === entry.content ? last : undefined;
}

/** The very same object while nothing of it changes: what was made from it is still good. */
function sameAsBefore({ resolved }: Memo, now: ResolvedSection): ResolvedSection {
  const before = resolved.get(now.name);
  const textsOf = ({ prepended, appended }: ResolvedSection) => JSON.stringify([prepended, appended]);
  const isSame =
    before?.content === now.content &&
    before.state === now.state &&
    before.origin === now.origin &&
    before.cache === now.cache &&
    textsOf(before) === textsOf(now);
  if (isSame) return before;
  resolved.set(now.name, now);
  return now;
}

async function computeValue(
  { name, body, by }: PlannedPart,
  wraps: PlannedSection["wraps"],
  memo: Memo,
  { core, facts, about, signal, isRefresh }: ResolveInput,
  found: Diagnostic[],
): Promise<{ content: SectionContent | null; state: ResolvedSection["state"]; why: LeftOut["why"] }> {
  const { timeScale, entering, options } = core;
  const { within } = entering;
  const { files } = options;
  const limitMs = Math.min(body.timeoutMs ?? maxComputeMs, maxComputeMs) * timeScale;
  const call = async (plugin: string | undefined, run: (own: AbortSignal) => unknown): Promise<SectionContent | null> =>
    checked(name, await within(plugin, () => bounded(run, limitMs, signal)));
  const earlier = memo.get(name);
  const keep = memo.begin(name);
  try {
    const looking: SectionContext = { ...about, ...createPlace(facts, files) };
    const look = () => (body.when === undefined || body.when(looking) ? (body.key?.(looking) ?? "") : null);
    const isAsked = body.when !== undefined || body.key !== undefined;
    const key = isAsked ? await within(by.plugin, look) : "";
    if (key === null) return { content: null, state: "fresh", why: "condition" };
    const isMemoized = body.cache === "memoized";
    const isSame = earlier?.key === key && earlier.body === body && earlier.isOutdated !== true;
    if ((isMemoized || isRefresh) && isSame && (await isUnchanged(earlier.reads, facts, files))) {
      return { content: earlier.content, state: "cached", why: "empty" };
    }
    const reads: Reads = { paths: new Map(), env: new Map() };
    const context: SectionContext = { ...about, ...createPlace(facts, files, reads) };
    let content = await call(by.plugin, (own) => body.compute(context, own));
    let isWhole = true;
    for (const { wrap, by } of wraps) {
      const previous = content;
      if (previous === null) break;
      try {
        content = await call(by.plugin, (own) => wrap(previous, context, own));
      } catch (error) {
        signal.throwIfAborted();
        isWhole = false;
        found.push({ ...failure(name, by, error), code: "wrap-failed" });
      }
    }
    // An equal value is the value there was: nobody has to look into it again.
    if (earlier !== undefined && JSON.stringify(content) === JSON.stringify(earlier.content)) content = earlier.content;
    if (isWhole) keep({ content, key, body, reads });
    return { content, state: "fresh", why: "empty" };
  } catch (error) {
    signal.throwIfAborted();
    found.push(failure(name, by, error));
    return { content: body.onError === "stale" ? (earlier?.content ?? null) : null, state: "stale", why: "failed" };
  }
}

/** @throws {PluginError} `section-content-invalid`, `section-too-large`. */
function checked(name: string, raw: unknown): SectionContent | null {
  const problem = contentProblem(raw);
  if (problem !== undefined) {
    const fix =
      'Return a string, null, { kind: "facts", facts: [["name", "value"]] } or { kind: "items", items: [{ id, text }] }';
    throw pluginError("section-content-invalid", `Section "${name}" returned ${problem}`, { fix });
  }
  const content = frozen(toContent(raw as SectionContent | string | null));
  const size = content === null ? 0 : byteLength(contentText(content));
  if (size <= maxContentBytes) return content;
  const message = `Section "${name}" returned ${size} bytes, the limit is ${maxContentBytes}`;
  throw pluginError("section-too-large", message, { fix: "Give the section a budget of its own and return less" });
}

function failure(section: string, at: PlannedPart["by"], error: unknown): Diagnostic {
  const code = error instanceof TimeLimitError ? "section-timeout" : "section-failed";
  const fix = `Mend it, or start with --no-section ${section}`;
  const { message, ...found } = toDiagnostic(error, { code, at, fix });
  return fault(found.code, message, { ...found, section, plugin: at.plugin ?? found.plugin });
}

const maxComputeMs = 2_000;
/** More than any model's window takes; what is larger is a mistake. */
const maxContentBytes = 4_000_000;
