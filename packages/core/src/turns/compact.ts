import { randomUUID } from "node:crypto";
import type { Message, ProviderRequest, TurnContext, Usage } from "../index.js";
import { defined, frozen } from "../plain-data.js";
import { cacheKey, forgetBaseline } from "../baseline/baseline.js";
import { fault, notice, QuireError } from "../errors.js";
import { contextItem, tellContext, toldContent } from "../prompt/context.js";
import { resolveFor, userMessage } from "../prompt/prepare.js";
import { contentText } from "../sections/content.js";
import { silentJournal } from "./journal.js";
import { runRequest } from "./request.js";
import type { RequestRecorder } from "./request-record.js";
import type { OpenSession } from "./session.js";

/**
 * Puts a summary in place of the history; the log keeps everything. The request that asks for it has the prefix, the
 * tools and the history of every other request, so the vendor's cache serves it.
 * @param keepFrom Messages from this index on stay: those of the turn under way.
 * @returns The summary; undefined when there was nothing to compact, or a plugin said no.
 * @throws {QuireError} `compact-unknown`, `compact-empty`; whatever the request throws.
 */
export async function compactHistory(
  session: OpenSession,
  why: string,
  context: TurnContext,
  keepFrom: number,
  record: RequestRecorder,
): Promise<string | undefined> {
  const { core } = session;
  const messages = session.messages.slice(0, keepFrom);
  if (messages.length === 0) return undefined;
  const plan = await core.bus.ask("beforeCompact", { ...context, messages, why });
  if (plan !== undefined && "cancel" in plan) {
    core.report(notice("compact-cancelled", `The history was not compacted: ${plan.cancel}`));
    return undefined;
  }
  const made: Summary = plan ?? (await summarize(session, messages, context, record));
  const { summary, usage } = made;
  const { message: told } = tellContext(core.layout, [contextItem("add", "summary", summary)]);
  const message = frozen<Message>(told ?? { id: randomUUID(), role: "context", content: [] });
  const kept = session.messages.slice(keepFrom);
  await session.journal.append({ type: "compact", turn: context.turnId, why, message, kept: kept.length, usage });
  session.messages = Object.freeze([message, ...kept]);
  session.memo.clear();
  forgetBaseline(session.prefix, "compact");
  await core.bus.tell("afterCompact", context);
  return summary;
}

interface Summary {
  readonly summary: string;
  readonly usage?: Usage;
}

async function summarize(
  session: OpenSession,
  messages: readonly Message[],
  context: TurnContext,
  record: RequestRecorder,
): Promise<Summary> {
  const { core, info } = session;
  const { model } = context;
  const { baseline } = session.prefix;
  const input = { text: "", trigger: "synthetic", audience: "compaction" } as const;
  const isWanted = ({ audience = [] }: { readonly audience?: readonly string[] }) => audience.includes("compaction");
  const { sections } = await resolveFor(session, input, context, [], isWanted);
  const instruction = sections.map((section) => contentText(toldContent(section))).join("\n\n");
  if (instruction === "") {
    const fix = "Leave the plugin that brings one on, or register a section with the audience compaction";
    throw new QuireError(fault("compact-unknown", "No section says how to compact a history", { fix }));
  }
  const { system, tools, id } = baseline ?? { system: { text: "", regions: [] }, tools: [], id: info.id };
  const asked = [...messages, userMessage(instruction)];
  const key = cacheKey(model, id, info.id);
  const request = frozen({ model, system, tools, messages: asked, tail: "", cacheKey: key, params: {} });
  const { cache } = core.provider(model).spec.caps(model.id);
  const guard = async (sent: ProviderRequest, attempt: number): Promise<void> =>
    await record(sent, session, { request: context.request, attempt, purpose: "compact", cache });
  const unseen = { show: () => undefined, keep: async () => {}, guard };
  const exchange = { core, journal: silentJournal, context: () => context, request: async () => request };
  const answer = await runRequest({ ...exchange, ...unseen });
  context.signal.throwIfAborted();
  const summary = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (summary.trim() !== "") return { summary, ...defined({ usage: answer.usage }) };
  const message = "The model answered with no summary; the history stays as it is";
  throw new QuireError(fault("compact-empty", message, { fix: "Try again, or begin anew with /clear" }));
}
