import type { Diagnostic, Pieces, ProviderRequest } from "../index.js";
import { warning } from "../errors.js";
import { byteLength } from "../text/bytes.js";
import type { Baseline, BaselineState } from "./baseline.js";

/**
 * Compares a request with the one before it: tools, system text and sent history must be its beginning.
 * @param plan Names the prefix that was meant; another plan is a planned change.
 * @param authorsOf Plugins whose taps changed a request.
 * @returns `cache-bust` with the first thing that moved and who moved it; where no tap did, whose it is.
 */
export function checkPrefix(
  state: BaselineState,
  plan: string,
  request: ProviderRequest,
  { pieces, sections }: Pick<Baseline, "pieces" | "sections">,
  ownerOfTool: (name: string) => string | undefined,
  authorsOf: (request: ProviderRequest) => readonly string[],
): Diagnostic | undefined {
  const last = state.sent;
  state.sent = { plan, request };
  if (last === undefined) return undefined;
  const before = last.request;
  const authors = [...new Set([...authorsOf(before), ...authorsOf(request)])];
  const bust = (what: string, where: string, section?: string, owner?: string): Diagnostic => {
    const names = authors.map((name) => `"${name}"`).join(" and ");
    const tap = `${authors.length === 1 ? "changes" : "change"} requests in "beforeProviderRequest"`;
    const lost = `${what} differs from the last request${where}: what the vendor cached behind it is lost`;
    const fix = "A tap of beforeProviderRequest changes it: leave out what changes, or tell it with addContext";
    const message = authors.length === 0 ? lost : `${lost}; ${names} ${tap}`;
    return warning("cache-bust", message, { section, plugin: authors[0] ?? owner, fix });
  };
  const tool = last.plan === plan ? firstMoved(before.tools, request.tools) : -1;
  if (tool !== -1) {
    const name = (request.tools[tool] ?? before.tools[tool])?.name ?? "";
    return bust(`Tool "${name}" (declaration ${tool})`, "", undefined, ownerOfTool(name));
  }
  if (last.plan === plan && before.system.text !== request.system.text) {
    const offset = firstDifference(before.system.text, request.system.text);
    const section = sectionAt(pieces, offset);
    const owner = sections.find(({ name }) => name === section)?.plugin;
    return bust("The system text", ` at byte ${offset}`, section, owner);
  }
  const moved = firstMoved(before.messages, request.messages.slice(0, before.messages.length));
  return moved === -1 ? undefined : bust(`Message ${moved} of the history (${before.messages[moved]?.role})`, "");
}

/** The first index at which two lists differ; -1 when they are alike. */
function firstMoved(before: readonly unknown[], after: readonly unknown[]): number {
  const longer = before.length > after.length ? before : after;
  if (before === after) return -1;
  return longer.findIndex((_, index) => {
    const [a, b] = [before[index], after[index]];
    return a !== b && JSON.stringify(a) !== JSON.stringify(b);
  });
}

/** In UTF-8 bytes. */
function firstDifference(before: string, after: string): number {
  let index = 0;
  while (index < before.length && before[index] === after[index]) index += 1;
  return byteLength(before.slice(0, index));
}

/** The section that holds a byte, or the last one before it. */
function sectionAt(pieces: Pieces, offset: number): string | undefined {
  let start = 0;
  let found: string | undefined;
  for (const { text, section } of pieces) {
    if (start > offset) break;
    found = section ?? found;
    start += byteLength(text);
  }
  return found;
}
