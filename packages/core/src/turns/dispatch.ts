import type { HostTool } from "../contracts/host.js";
import type { Block, ToolCall, ToolResult } from "../contracts/message.js";
import type { PermissionAnswer, PermissionRequest, ToolContext, Verdict } from "../contracts/tool.js";
import { PluginError, QuireError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { validateToolInput } from "../registries/tool-input.js";
import { nearest } from "../text/nearest.js";

/** Arguments under this key are text of the model that was no JSON. */
export const invalidArgumentsKey = "$invalid";

/**
 * Runs one tool call through all gates: known, on, hooks, arguments, permission. Never throws but on the turn's abort;
 * a refusal is an error result that says why.
 * @param tools Of this turn, those that are off included.
 */
export async function dispatchCall(
  core: HostCore,
  tools: readonly HostTool[],
  call: ToolCall,
  context: ToolContext,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name);
  const refused =
    tool === undefined
      ? unknownTool(tools, call.name)
      : tool.off === undefined
        ? undefined
        : `The tool "${tool.name}" is off: ${tool.off}.`;
  if (tool === undefined || refused !== undefined) return failed(call, refused ?? "");
  return await runTool(core, tool, call, context);
}

/** As `dispatchCall`, for a tool that is already found. */
export async function runTool(
  core: HostCore,
  tool: HostTool,
  call: ToolCall,
  context: ToolContext,
): Promise<ToolResult> {
  if (typeof call.args[invalidArgumentsKey] === "string") {
    return failed(
      call,
      `The arguments of "${call.name}" were no valid JSON: ${call.args[invalidArgumentsKey].slice(0, 200)}`,
    );
  }
  let result: ToolResult;
  try {
    const changed = await core.bus.change("beforeToolCall", call, context);
    const input = await validateToolInput(tool.spec, changed.args);
    if ("problem" in input) return failed(call, `The arguments of "${call.name}" do not fit: ${input.problem}`);
    const denied = await permissionProblem(core, tool, { ...call, args: changed.args }, context);
    if (denied !== undefined) return failed(call, denied);
    core.options.entering?.(tool.plugin);
    const output = await tool.spec.execute(input.value, context);
    result = { type: "tool-result", id: call.id, name: call.name, isError: false, content: toBlocks(output) };
  } catch (error) {
    if (context.signal.aborted) result = failed(call, "Stopped by the user before it finished.");
    else if (error instanceof PluginError && error.diagnostic.code === "gate-failed")
      return failed(call, `Refused: ${error.diagnostic.message}`);
    else
      result = failed(
        call,
        QuireError.is(error)
          ? error.diagnostic.message + fixOf(error)
          : error instanceof Error
            ? error.message
            : String(error),
      );
  } finally {
    core.options.entering?.(null);
  }
  if (context.signal.aborted) return result;
  return await core.bus.change("afterToolCall", result, context);
}

/** Why the call may not run, or undefined when it may. Without a vote only reading passes. */
async function permissionProblem(
  core: HostCore,
  tool: HostTool,
  call: ToolCall,
  context: ToolContext,
): Promise<string | undefined> {
  const request: PermissionRequest = {
    ...context,
    call,
    tool: tool.fullName,
    effect: tool.spec.effect,
    reasons: [],
  };
  const { verdict, reasons } = await core.bus.vote(request);
  const fallback: Verdict = { level: tool.spec.effect === "read" ? "allow" : "ask" };
  const decided = verdict ?? fallback;
  if (decided.level === "allow") return undefined;
  if (decided.level === "deny") return `Refused: ${decided.reason ?? reasons.at(-1) ?? "it is not permitted"}`;
  const answer: PermissionAnswer | undefined = await core.bus.ask("permissionAsk", { ...request, reasons });
  if (answer?.allow === true) return undefined;
  const why =
    decided.reason ??
    (verdict === undefined ? "no plugin decides about permissions, so only reading is allowed" : undefined);
  return `Refused: ${answer === undefined ? "nobody could be asked" : "the answer was no"}${why === undefined ? "" : ` (${why})`}.`;
}

function unknownTool(tools: readonly HostTool[], name: string): string {
  const names = tools.filter((tool) => tool.off === undefined).map((tool) => tool.name);
  const near = nearest(name, names);
  return `There is no tool "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`} Tools: ${names.join(", ")}.`;
}

function fixOf(error: QuireError): string {
  return error.diagnostic.fix === undefined ? "" : `. ${error.diagnostic.fix}.`;
}

function toBlocks(output: string | readonly Block[]): readonly Block[] {
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (Array.isArray(output)) return output;
  throw new Error("The tool returned neither a text nor blocks");
}

export function failed(call: Pick<ToolCall, "id" | "name">, text: string): ToolResult {
  return {
    type: "tool-result",
    id: call.id,
    name: call.name,
    isError: true,
    content: [{ type: "text", text }],
  };
}
