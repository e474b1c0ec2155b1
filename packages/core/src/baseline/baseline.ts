import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Pieces, ResolvedSection } from "../contracts/layout.js";
import type { Message, ModelRef } from "../contracts/message.js";
import type { Config } from "../contracts/place.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { SectionContent } from "../contracts/section.js";
import { notice } from "../errors.js";
import { frozen } from "../freeze.js";
import type { HostCore } from "../host-core.js";
import { toldContent, toldHash } from "../prompt/told.js";
import { sha256 } from "../text/sha256.js";
import { byteLength } from "../text/utf8.js";

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
  const state: BaselineState = {
    baseline: undefined,
    nextCause: "start",
    contents: new Map(),
    lastRequestAt: 0,
    sent: undefined,
  };
  for (const { type, baseline, contents, at } of records) {
    if (type === "baseline") state.baseline = frozen(baseline as Baseline);
    else if (type === "contents") {
      for (const [hash, content] of Object.entries(contents as Config))
        state.contents.set(hash, content as SectionContent);
    } else if (type === "clear" || type === "rebase" || type === "compact") forgetBaseline(state, type);
    if (typeof at === "string" && (type === "message" || type === "turn-end")) state.lastRequestAt = Date.parse(at);
  }
  return state;
}

/** The next turn begins with a prefix of its own. */
export function forgetBaseline(state: BaselineState, cause: string): void {
  state.baseline = undefined;
  state.sent = undefined;
  state.nextCause = cause;
}

export type FreshPrefix = Pick<Baseline, "tools"> & { readonly prefix: readonly ResolvedSection[] };

/** Why the prefix has to be made anew, or undefined while the frozen one serves. */
export function baselineCause(
  core: HostCore,
  session: BaselineState & { readonly model: ModelRef; readonly messages: readonly Message[] },
  { tools, prefix }: FreshPrefix,
): string | undefined {
  const { baseline, model, messages } = session;
  if (baseline === undefined) return session.nextCause;
  if (baseline.model.provider !== model.provider || baseline.model.id !== model.id) return "model";
  if (baseline.layout !== core.layout.name) return "layout";
  const hashes = (sections: readonly { readonly name: string; readonly hash: string }[]) =>
    JSON.stringify(sections.map(({ name, hash }) => [name, hash]));
  const isSame =
    hashes(prefix.map((section) => ({ name: section.name, hash: toldHash(section) }))) === hashes(baseline.sections) &&
    (tools === baseline.tools || JSON.stringify(tools) === JSON.stringify(baseline.tools));
  if (isSame) return undefined;
  const isBroken = (section: ResolvedSection) =>
    section.cache !== "memoized" &&
    baseline.sections.every(({ name, hash }) => name !== section.name || hash !== toldHash(section));
  if (core.config.prefix === "rebuilt" || prefix.some(isBroken)) return "changed";
  const { ttlSeconds } = core.provider(model).spec.caps(model.id).cache;
  if (core.now().getTime() - session.lastRequestAt > ttlSeconds * 1_000) return "idle";
  const told = messages.flatMap(({ role, content }) => (role === "context" ? content : []));
  const toldBytes = told.reduce((sum, block) => sum + (block.type === "text" ? byteLength(block.text) : 0), 0);
  return toldBytes > byteLength(baseline.system.text) + smallestPrefixBytes ? "deltas" : undefined;
}

/** Notes about a tiny prefix are cheap however often they come. */
const smallestPrefixBytes = 4_096;

export function createBaseline(
  fresh: Omit<Baseline, "id" | "sections"> & { readonly prefix: readonly ResolvedSection[] },
): Baseline {
  const { prefix, ...rest } = fresh;
  const sections = prefix.map((section) => {
    const { name, slot, owner, scope, cache, origin } = section;
    return { name, slot, owner, scope, cache, origin, plugin: origin.plugin ?? owner, hash: toldHash(section) };
  });
  const { layout, model, system, tools } = rest;
  return frozen({ id: sha256(JSON.stringify([layout, model, system.text, tools])).slice(0, 16), ...rest, sections });
}

/** What the log has to learn so that a resumed session goes on with the same bytes. */
export function contentsToKeep(
  state: BaselineState,
  sections: readonly ResolvedSection[],
): Readonly<Record<string, SectionContent>> {
  const fresh: Record<string, SectionContent> = {};
  for (const section of sections) {
    const hash = toldHash(section);
    if (!state.contents.has(hash)) fresh[hash] = toldContent(section);
  }
  return fresh;
}

/** The price of a prefix that changed although nothing made it cold. */
export function cacheBreak(before: Baseline, after: Baseline): Diagnostic {
  const changed = after.sections.find(({ name, hash }) =>
    before.sections.every((old) => old.name !== name || old.hash !== hash),
  );
  const bytes = byteLength(after.system.text);
  const what = changed === undefined ? "Sections left, or tools changed" : `Section "${changed.name}" changed`;
  const message = `${what}: the prefix of ${bytes} bytes and the history behind it are paid anew (${after.cause})`;
  return notice("cache-break", message, { section: changed?.name, plugin: changed?.plugin });
}
