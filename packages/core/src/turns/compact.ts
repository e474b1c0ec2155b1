import { randomUUID } from "node:crypto";
import type { Message, Usage } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { TurnContext } from "../contracts/turn.js";
import { forgetBaseline } from "../baseline/baseline.js";
import { fault, notice, QuireError } from "../errors.js";
import { defined } from "../defined.js";
import { frozen } from "../freeze.js";
import type { HostCore } from "../host-core.js";
import { contextItem, contextMessage } from "../prompt/context-message.js";
import { resolveFor, userMessage } from "../prompt/prepare.js";
import { toldContent } from "../prompt/told.js";
import { contentText } from "../sections/content.js";
import { silentJournal } from "./journal.js";
import { runRequest } from "./request.js";
import type { RequestRecorder } from "./request-record.js";
import type { SessionState } from "./session.js";

/**
 * Puts a summary in place of the history; the log keeps everything. The request that asks for it has the prefix, the
 * tools and the history of every other request, so the vendor's cache serves it.
 * @param keepFrom Messages from this index on stay: those of the turn under way.
 * @returns The summary; undefined when there was nothing to compact, or a plugin said no.
 * @throws {QuireError} `compact-unknown`, `compact-empty`; whatever the request throws.
 */
export async function compactHistory(
  core: HostCore,
  session: SessionState,
  why: string,
  context: TurnContext,
  keepFrom: number,
  record: RequestRecorder,
): Promise<string | undefined> {
  const messages = session.messages.slice(0, keepFrom);
  if (messages.length === 0) return undefined;
  const plan = await core.bus.ask("beforeCompact", { ...context, messages, why });
  if (plan !== undefined && "cancel" in plan) {
    core.report(notice("compact-cancelled", `The history was not compacted: ${plan.cancel}`));
    return undefined;
  }
  const made: { summary: string; usage?: Usage } = plan ?? (await summarize(core, session, messages, context, record));
  const { summary, usage } = made;
  const { layout, layoutOwner } = core;
  const item = contextItem("add", "summary", summary);
  const message = frozen(
    contextMessage(layout, layoutOwner, [item]) ?? { id: randomUUID(), role: "context" as const, content: [] },
  );
  const kept = session.messages.slice(keepFrom);
  await session.journal.append({ type: "compact", turn: context.turnId, why, message, kept: kept.length, usage });
  session.messages = Object.freeze([message, ...kept]);
  session.memo.clear();
  forgetBaseline(session, "compact");
  await core.bus.tell("afterCompact", context);
  return summary;
}

async function summarize(
  core: HostCore,
  session: SessionState,
  messages: readonly Message[],
  context: TurnContext,
  record: RequestRecorder,
): Promise<{ summary: string; usage?: Usage }> {
  const input = { text: "", trigger: "synthetic", audience: "compaction" } as const;
  const { sections } = await resolveFor(core, session, input, context, [], ({ audience }) =>
    (audience ?? []).includes("compaction"),
  );
  const instruction = sections.map((section) => contentText(toldContent(section))).join("\n\n");
  if (instruction === "") {
    const fix = "Leave the plugin that brings one on, or register a section with the audience compaction";
    throw new QuireError(fault("compact-unknown", "No section says how to compact a history", { fix }));
  }
  const { system, tools } = session.baseline ?? { system: { text: "", regions: [] }, tools: [] };
  const request = frozen({
    model: session.model,
    system,
    tools,
    messages: [...messages, userMessage(instruction)],
    tail: "",
    cacheKey: session.baseline?.id ?? session.info.id,
    params: {},
  });
  const { cache } = core.provider(session.model).spec.caps(session.model.id);
  const guard = async (sent: ProviderRequest, attempt: number): Promise<void> =>
    await record(sent, session, { request: context.request, attempt, purpose: "compact", cache });
  const unseen = { show: () => undefined, keep: async () => {}, guard };
  const answer = await runRequest({ core, journal: silentJournal, context, request: async () => request, ...unseen });
  context.signal.throwIfAborted();
  const summary = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (summary.trim() !== "") return { summary, ...defined({ usage: answer.usage }) };
  const fix = "Try again, or begin anew with /clear";
  throw new QuireError(
    fault("compact-empty", "The model answered with no summary; the history stays as it is", { fix }),
  );
}
