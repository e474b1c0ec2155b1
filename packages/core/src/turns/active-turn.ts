import type { HostTool } from "../contracts/host.js";
import type { ToolCall, ToolResult } from "../contracts/message.js";
import type { ToolContext } from "../contracts/tool.js";
import type { TurnContext, TurnEvent } from "../contracts/turn.js";
import type { HostCore } from "../host-core.js";
import { failed, dispatchCall, runTool } from "./dispatch.js";
import type { SessionJournal } from "./journal.js";

/** A turn under way, as its tools and their nested calls need it. */
export interface ActiveTurn {
  readonly id: string;
  readonly journal: SessionJournal;
  /** Of this turn, those that are off included. */
  readonly tools: readonly HostTool[];
  show(event: TurnEvent): void;
}

/** Runs the calls of one answer: neighbours that allow it side by side, the rest one after another. Results in order. */
export async function* runCalls(
  core: HostCore,
  turn: ActiveTurn,
  calls: readonly ToolCall[],
  context: TurnContext,
): AsyncGenerator<ToolResult> {
  const mayOverlap = (call: ToolCall) => turn.tools.find((tool) => tool.name === call.name)?.spec.parallel === true;
  for (let index = 0; index < calls.length;) {
    let end = index + 1;
    const first = calls[index];
    if (first !== undefined && mayOverlap(first)) {
      for (let next = calls[end]; next !== undefined && mayOverlap(next); next = calls[end]) end += 1;
    }
    const batch = calls.slice(index, end).map((call) => runOne(core, turn, call, context));
    for (const running of batch) yield await running;
    index = end;
  }
}

async function runOne(core: HostCore, turn: ActiveTurn, call: ToolCall, context: TurnContext): Promise<ToolResult> {
  if (context.signal.aborted) return failed(call, "Not run: the user stopped the turn.");
  turn.show({ type: "tool-start", id: call.id, name: call.name, args: call.args });
  return await dispatchCall(core, turn.tools, call, toolContext(core, turn, call.id, context));
}

function toolContext(core: HostCore, turn: ActiveTurn, callId: string, context: TurnContext): ToolContext {
  return {
    ...context,
    callId,
    update: (text) => turn.show({ type: "tool-update", id: callId, text }),
    ask: async (question) => (context.session.depth > 0 ? null : ((await core.options.ask?.(question)) ?? null)),
  };
}

/** `tools.call` of a plugin: by full name or the model's name, through the same gates, in the same log. */
export async function callTool(
  core: HostCore,
  turn: ActiveTurn | undefined,
  name: string,
  args: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  const call: ToolCall = {
    type: "tool-call",
    id: `${context.callId}.${++nestedCalls}`,
    name,
    args: typeof args === "object" && args !== null && !Array.isArray(args) ? (args as ToolCall["args"]) : {},
  };
  if (turn === undefined) return failed(call, "A tool can be called only while its turn runs.");
  const all = [...turn.tools, ...core.tools.late()];
  const tool = all.find((candidate) => candidate.fullName === name) ?? all.find((candidate) => candidate.name === name);
  const named = { ...call, name: tool?.name ?? name };
  const inner = toolContext(core, turn, call.id, { ...context });
  const result =
    tool === undefined || tool.off !== undefined
      ? await dispatchCall(core, all, named, inner)
      : await runTool(core, tool, named, inner);
  await turn.journal.append({
    type: "nested-call",
    turn: turn.id,
    parent: context.callId,
    call: named,
    result,
  });
  return result;
}

let nestedCalls = 0;
