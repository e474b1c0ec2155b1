import type { Config, Diagnostic, Message, ModelRef, Pieces, ProviderRequest, ResolvedSection } from "../index.js";
import type { SectionContent } from "../index.js";
import { frozen } from "../plain-data.js";
import { notice } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { isAlike } from "../turns/request-record.js";
import { toldContent, toldHash } from "../prompt/context.js";
import { byteLength, sha256 } from "../text/bytes.js";

/** The frozen part of every request: what the model was told in the prefix, and the tools that were declared. */
export interface Baseline {
  /** Equal prefixes have equal ids. */
  readonly id: string;
  /** Why there is a new one: `start`, `clear`, `model`, `layout`, `idle`, `deltas`, `compact`, `rebase`, `changed`. */
  readonly cause: string;
  readonly layout: string;
  readonly model: ModelRef;
  readonly system: ProviderRequest["system"];
  readonly tools: ProviderRequest["tools"];
  readonly pieces: Pieces;
  /** `plugin` wrote the content. */
  readonly sections: readonly (Pick<ResolvedSection, "name" | "slot" | "owner" | "scope" | "cache" | "origin"> & {
    readonly plugin: string;
    readonly hash: string;
  })[];
  /** The plugin of each tool. */
  readonly owners: Readonly<Record<string, string>>;
}

/** What a session knows of its prefix, in memory and, by its records, in the log. */
export interface BaselineState {
  baseline: Baseline | undefined;
  /** Why the next one is made. */
  nextCause: string;
  /** What the model was told, by hash: a later change is told as the lines that differ. */
  readonly contents: Map<string, SectionContent>;
  /** Epoch milliseconds; the vendor's cache lives on from here. */
  lastRequestAt: number;
  /** The request before: the guard compares with it. */
  sent: { readonly plan: string; readonly request: ProviderRequest } | undefined;
}

export function createBaselineState(records: readonly Config[] = []): BaselineState {
  const contents = new Map<string, SectionContent>();
  const state: BaselineState = { baseline: undefined, nextCause: "start", contents, lastRequestAt: 0, sent: undefined };
  for (const { type, at, ...record } of records) {
    if (type === "baseline") state.baseline = wholeBaseline(record["baseline"] as Partial<Baseline>);
    if (type === "contents") keepContents(state, record["contents"] as Readonly<Record<string, SectionContent>>);
    if (type === "clear" || type === "rebase" || type === "compact") forgetBaseline(state, type);
    if (typeof at === "string" && (type === "message" || type === "turn-end")) state.lastRequestAt = Date.parse(at);
  }
  return state;
}

/** Undefined of one that was kept without its text. */
export function wholeBaseline(stored: Partial<Baseline>): Baseline | undefined {
  return stored.system === undefined ? undefined : (frozen(stored) as Baseline);
}

export function keepContents(
  { contents }: Pick<BaselineState, "contents">,
  fresh: Readonly<Record<string, SectionContent>>,
): void {
  for (const [hash, content] of Object.entries(fresh)) contents.set(hash, content);
}

/** The next turn begins with a prefix of its own. */
export function forgetBaseline(state: BaselineState, cause: string): void {
  Object.assign(state, { baseline: undefined, sent: undefined, nextCause: cause });
}

interface Standing {
  readonly core: HostCore;
  readonly model: ModelRef;
  readonly messages: readonly Message[];
  readonly prefix: BaselineState;
}

/** Why the prefix has to be made anew, or undefined while the frozen one serves. */
export function baselineCause(
  { core, model, messages, prefix: { baseline, nextCause, lastRequestAt } }: Standing,
  tools: ProviderRequest["tools"],
  prefix: readonly ResolvedSection[],
): string | undefined {
  if (baseline === undefined) return nextCause;
  if (baseline.model.provider !== model.provider || baseline.model.id !== model.id) return "model";
  if (baseline.layout !== core.layout.spec.name) return "layout";
  const isOld = (section: ResolvedSection) =>
    baseline.sections.some(({ name, hash }) => name === section.name && hash === toldHash(section));
  const isSame =
    prefix.length === baseline.sections.length &&
    prefix.every((section, index) => {
      const old = baseline.sections[index];
      return old?.name === section.name && old.hash === toldHash(section);
    }) &&
    isAlike(baseline.tools, tools);
  if (isSame) return undefined;
  const isBroken = prefix.some((section) => section.cache !== "memoized" && !isOld(section));
  if (core.config.isRebuilt || isBroken) return "changed";
  const { ttlSeconds } = core.provider(model).spec.caps(model.id).cache;
  if (core.now().getTime() - lastRequestAt > ttlSeconds * 1_000) return "idle";
  const told = messages.flatMap(({ role, content }) => (role === "context" ? content : []));
  const toldBytes = told.reduce((sum, block) => sum + (block.type === "text" ? byteLength(block.text) : 0), 0);
  return toldBytes > byteLength(baseline.system.text) + smallestPrefixBytes ? "deltas" : undefined;
}

/** Notes about a tiny prefix are cheap however often they come. */
const smallestPrefixBytes = 4_096;

/** Keeps the requests of one prefix and session together at the vendor. */
export const cacheKey = (model: ModelRef, baseline: string, session: string): string =>
  sha256(JSON.stringify([model, baseline, session]));

export function createBaseline(fresh: Omit<Baseline, "id" | "sections">, prefix: readonly ResolvedSection[]): Baseline {
  const sections = prefix.map((section) => {
    const { name, slot, owner, scope, cache, origin } = section;
    return { name, slot, owner, scope, cache, origin, plugin: origin.plugin ?? owner, hash: toldHash(section) };
  });
  const { layout, model, system, tools } = fresh;
  return frozen({ id: sha256(JSON.stringify([layout, model, system.text, tools])).slice(0, 16), ...fresh, sections });
}

/** What the log has to learn so that a resumed session goes on with the same bytes. */
export function contentsToKeep(
  { contents }: BaselineState,
  sections: readonly ResolvedSection[],
): Readonly<Record<string, SectionContent>> {
  const told = sections.map((section) => [toldHash(section), toldContent(section)] as const);
  return Object.fromEntries(told.filter(([hash]) => !contents.has(hash)));
}

/** The price of a prefix that changed although nothing made it cold. */
export function cacheBreak(before: Baseline, after: Baseline): Diagnostic {
  const isNew = ({ name, hash }: Pick<Baseline["sections"][number], "name" | "hash">) =>
    before.sections.every((old) => old.name !== name || old.hash !== hash);
  const changed = after.sections.find(isNew);
  const what = changed === undefined ? "Sections left, or tools changed" : `Section "${changed.name}" changed`;
  const price = `the prefix of ${byteLength(after.system.text)} bytes and the history behind it are paid anew`;
  const about = { section: changed?.name, plugin: changed?.plugin };
  return notice("cache-break", `${what}: ${price} (${after.cause})`, about);
}
