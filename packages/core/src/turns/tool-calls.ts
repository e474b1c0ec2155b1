import type { Block, PermissionRequest, ToolCall, ToolContext, ToolResult } from "../index.js";
import type { HostTool } from "../host-door.js";
import { bounded } from "../async/bounded.js";
import { messageOf, PluginError, QuireError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { isBlock } from "../plain-data.js";
import { validateToolInput } from "../registries/tool-input.js";
import { didYouMean } from "../text/nearest.js";
import type { RunningTurn } from "./turn.js";

/** Runs the calls of one answer: neighbours that allow it side by side, the rest one after another. Results in order. */
export async function* runCalls(turn: RunningTurn, calls: readonly ToolCall[]): AsyncGenerator<ToolResult> {
  const mayOverlap = ({ name }: ToolCall) => turn.tools.find((tool) => tool.name === name)?.spec.parallel === true;
  const runOne = async (call: ToolCall): Promise<ToolResult> => {
    if (turn.signal.aborted) return failed(call, "Not run: the user stopped the turn.");
    turn.show({ type: "tool-start", id: call.id, name: call.name, args: call.args });
    return await runTool(turn, turn.tools, call);
  };
  for (let index = 0; index < calls.length;) {
    const rest = calls.slice(index);
    const alone = rest.findIndex((call) => !mayOverlap(call));
    const batch = rest.slice(0, alone === -1 ? rest.length : Math.max(alone, 1));
    index += batch.length;
    for (const running of batch.map(runOne)) yield await running;
  }
}

function toolContext(turn: RunningTurn, callId: string): ToolContext {
  const context = turn.context();
  const ask = context.session.depth > 0 ? undefined : turn.session.core.options.ask;
  const update = (text: string) => turn.show({ type: "tool-update", id: callId, text });
  return { ...context, callId, update, ask: async (question) => (await ask?.(question)) ?? null };
}

/** `tools.call` of a plugin: by full name or the model's name, through the same gates, in the same log. */
export async function callTool(
  turn: RunningTurn | undefined,
  name: string,
  args: unknown,
  { callId: parent }: ToolContext,
): Promise<ToolResult> {
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const id = `${parent}.${++nestedCalls}`;
  const call: ToolCall = { type: "tool-call", id, name, args: isObject ? (args as ToolCall["args"]) : {} };
  if (turn === undefined) return failed(call, "A tool can be called only while its turn runs.");
  const { core, journal } = turn.session;
  const all = [...turn.tools, ...core.tools.lateTools().map(turn.judge)];
  const tool = all.find(({ fullName }) => fullName === name) ?? all.find((candidate) => candidate.name === name);
  const named = { ...call, name: tool?.name ?? name };
  const result = await runTool(turn, tool === undefined ? all : [tool], named);
  await journal.append({ type: "nested-call", turn: turn.id, parent, call: named, result });
  return result;
}

let nestedCalls = 0;

/** Arguments under this key are text of the model that was no JSON. */
const invalidArgumentsKey = "$invalid";

/**
 * Runs one tool call through all gates: known, on, hooks, arguments, permission. Never throws: a refusal, a failure and
 * a stop are error results that say why.
 * @param tools Those that may be meant, those that are off included.
 */
async function runTool(turn: RunningTurn, tools: readonly HostTool[], call: ToolCall): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return failed(call, unknownTool(tools, call.name));
  const invalid = call.args[invalidArgumentsKey];
  const off = tool.off === undefined ? undefined : `The tool "${tool.name}" is off: ${tool.off}.`;
  const garbled = `The arguments of "${call.name}" were no valid JSON: ${String(invalid).slice(0, 200)}`;
  const refusal = off ?? (typeof invalid === "string" ? garbled : undefined);
  if (refusal !== undefined) return failed(call, refusal);
  const { core } = turn.session;
  const { signal } = turn;
  const context = toolContext(turn, call.id);
  let result: ToolResult;
  try {
    const { args } = await core.bus.change("beforeToolCall", call, context);
    const input = await validateToolInput(tool.spec, args);
    if ("problem" in input) return failed(call, `The arguments of "${call.name}" do not fit: ${input.problem}`);
    const denied = await permissionProblem(core, tool, { ...call, args }, context);
    if (denied !== undefined) return failed(call, denied);
    const run = () => bounded(() => tool.spec.execute(input.value, context), null, AbortSignal.any([signal]));
    result = toResult(call, toBlocks(await core.entering.within(tool.plugin, run)));
  } catch (error) {
    if (error instanceof PluginError && error.diagnostic.code === "gate-failed") {
      return failed(call, `Refused: ${messageOf(error)}`);
    }
    const fix = QuireError.is(error) ? error.diagnostic.fix : undefined;
    const text = fix === undefined ? messageOf(error) : `${ended(messageOf(error))} ${ended(fix)}`;
    result = failed(call, signal.aborted ? "Stopped by the user before it finished." : text);
  }
  if (signal.aborted) return result;
  // Only a stop rejects here, and what the tool did is not undone by it.
  const changed = await core.bus.change("afterToolCall", result, context).catch(() => result);
  return { ...changed, type: result.type, id: call.id, name: call.name };
}

/** Why the call may not run, or undefined when it may. Without a vote only reading passes. */
async function permissionProblem(
  core: HostCore,
  { fullName, spec: { effect } }: HostTool,
  call: ToolCall,
  context: ToolContext,
): Promise<string | undefined> {
  const request: PermissionRequest = { ...context, call, tool: fullName, effect, reasons: [] };
  const { verdict, reasons } = await core.bus.vote(request);
  const undecided = "no plugin decides about permissions, so only reading is allowed";
  const { level, reason } = verdict ?? (effect === "read" ? { level: "allow" } : { level: "ask", reason: undecided });
  if (level === "allow") return undefined;
  if (level === "deny") return `Refused: ${reason ?? reasons.at(-1) ?? "it is not permitted"}`;
  const answer = await core.bus.ask("permissionAsk", { ...request, reasons });
  if (answer?.allow === true) return undefined;
  const why = reason === undefined ? "" : ` (${reason})`;
  return `Refused: ${answer === undefined ? "nobody could be asked" : "the answer was no"}${why}.`;
}

/** A sentence with its mark. */
function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function unknownTool(tools: readonly HostTool[], name: string): string {
  const names = tools.filter((tool) => tool.off === undefined).map((tool) => tool.name);
  return `There is no tool "${name}". ${didYouMean(name, names, "")} Tools: ${names.join(", ")}.`.replace("  ", " ");
}

function toBlocks(output: string | readonly Block[]): readonly Block[] {
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (Array.isArray(output) && output.every(isBlock)) return output;
  throw new Error("The tool returned neither a text nor blocks of text, image or file");
}

const toResult = (
  { id, name }: Pick<ToolCall, "id" | "name">,
  content: readonly Block[],
  isError = false,
): ToolResult => ({ type: "tool-result", id, name, isError, content });

export const failed = (call: Pick<ToolCall, "id" | "name">, text: string): ToolResult =>
  toResult(call, [{ type: "text", text }], true);
