import type { HostTool } from "../contracts/host.js";
import type { ToolCall, ToolResult } from "../contracts/message.js";
import type { ToolContext } from "../contracts/tool.js";
import type { TurnContext, TurnEvent } from "../contracts/turn.js";
import type { HostCore } from "../host-core.js";
import { failed, runTool } from "./run-tool.js";
import type { SessionJournal } from "./journal.js";

/** A turn under way, as its tools and their nested calls need it. */
export interface ActiveTurn {
  readonly id: string;
  readonly journal: SessionJournal;
  /** Declared to the model, those that are off included. */
  readonly tools: readonly HostTool[];
  /** A tool as this turn may use it. */
  judge(tool: HostTool): HostTool;
  show(event: TurnEvent): void;
}

/** Runs the calls of one answer: neighbours that allow it side by side, the rest one after another. Results in order. */
export async function* runCalls(
  core: HostCore,
  turn: ActiveTurn,
  calls: readonly ToolCall[],
  context: TurnContext,
): AsyncGenerator<ToolResult> {
  const mayOverlap = ({ name }: ToolCall) => turn.tools.find((tool) => tool.name === name)?.spec.parallel === true;
  const runOne = async (call: ToolCall): Promise<ToolResult> => {
    if (context.signal.aborted) return failed(call, "Not run: the user stopped the turn.");
    turn.show({ type: "tool-start", id: call.id, name: call.name, args: call.args });
    return await runTool(core, turn.tools, call, toolContext(core, turn, call.id, context));
  };
  for (let index = 0; index < calls.length;) {
    const rest = calls.slice(index);
    const alone = rest.findIndex((call) => !mayOverlap(call));
    const batch = rest.slice(0, alone === -1 ? rest.length : Math.max(alone, 1));
    index += batch.length;
    for (const running of batch.map(runOne)) yield await running;
  }
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
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const id = `${context.callId}.${++nestedCalls}`;
  const call: ToolCall = { type: "tool-call", id, name, args: isObject ? (args as ToolCall["args"]) : {} };
  if (turn === undefined) return failed(call, "A tool can be called only while its turn runs.");
  const all = [...turn.tools, ...core.tools.lateTools().map(turn.judge)];
  const tool = all.find(({ fullName }) => fullName === name) ?? all.find((candidate) => candidate.name === name);
  const named = { ...call, name: tool?.name ?? name };
  const result = await runTool(core, tool === undefined ? all : [tool], named, toolContext(core, turn, id, context));
  await turn.journal.append({ type: "nested-call", turn: turn.id, parent: context.callId, call: named, result });
  return result;
}

let nestedCalls = 0;
