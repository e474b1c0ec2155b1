import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Pieces } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import { warning } from "../errors.js";
import { byteLength } from "../text/utf8.js";
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
  baseline: Pick<Baseline, "pieces" | "sections">,
  ownerOfTool: (name: string) => string | undefined,
  authorsOf: (request: ProviderRequest) => readonly string[],
): Diagnostic | undefined {
  const last = state.sent;
  state.sent = { plan, request };
  if (last === undefined) return undefined;
  const before = last.request;
  const authors = [...new Set([...authorsOf(before), ...authorsOf(request)])];
  const tool = last.plan === plan ? firstMoved(before.tools, request.tools) : -1;
  if (tool !== -1) {
    const name = (request.tools[tool] ?? before.tools[tool])?.name ?? "";
    return bust(authors, `Tool "${name}" (declaration ${tool}) differs from the last request`, {
      plugin: ownerOfTool(name),
    });
  }
  if (last.plan === plan && before.system.text !== request.system.text) {
    const offset = firstDifference(before.system.text, request.system.text);
    const section = sectionAt(baseline.pieces, offset);
    const plugin = baseline.sections.find(({ name }) => name === section)?.plugin;
    return bust(authors, `The system text differs from the last request at byte ${offset}`, { section, plugin });
  }
  const moved = firstMoved(before.messages, request.messages.slice(0, before.messages.length));
  if (moved === -1) return undefined;
  const role = (before.messages[moved] as Message).role;
  return bust(authors, `Message ${moved} of the history (${role}) differs from the last request`, {});
}

function bust(
  authors: readonly string[],
  seen: string,
  { section, plugin }: { readonly section?: string | undefined; readonly plugin?: string | undefined },
): Diagnostic {
  const [author, ...others] = authors;
  const tap = `${others.length === 0 ? "changes" : "change"} requests in "beforeProviderRequest"`;
  const who = author === undefined ? "" : `; ${authors.map((name) => `"${name}"`).join(" and ")} ${tap}`;
  const message = `${seen}: what the vendor cached behind it is lost${who}`;
  const fix = "A tap of beforeProviderRequest changes it: leave out what changes, or tell it with addContext";
  return warning("cache-bust", message, { section, plugin: author ?? plugin, fix });
}

/** The first index at which two lists differ; -1 when they are alike. */
function firstMoved(before: readonly unknown[], after: readonly unknown[]): number {
  if (before === after) return -1;
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [before[index], after[index]];
    if (a !== b && JSON.stringify(a) !== JSON.stringify(b)) return index;
  }
  return -1;
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
