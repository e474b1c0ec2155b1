import type { Diagnostic } from "../contracts/diagnostic.js";
import { PluginError } from "../errors.js";
import type { HookCall } from "./hook-call.js";
import { countVote, isVerdict } from "./hook-call.js";
import type { HookName } from "./hook-table.js";
import { hookTable } from "./hook-table.js";

/**
 * Judges what a tap returned.
 * @returns What the series goes on with; undefined leaves value or question as they are.
 * @throws {TypeError} When the return has the wrong shape; its message says what was wanted.
 */
export function accept(
  hook: HookName,
  result: unknown,
  value: unknown,
  call: HookCall,
  reportNull: () => void,
): unknown {
  const { kind } = hookTable[hook];
  if (result === undefined || kind === "tell") return undefined;
  if (kind === "change") {
    if (result === null) {
      reportNull();
      return undefined;
    }
    if (shapeOf(result) !== shapeOf(value)) throw wrongShape(result, shapeOf(value));
    return result;
  }
  if (kind === "vote") {
    if (!isVerdict(result)) throw wrongShape(result, `{ level: "allow" | "ask" | "deny", reason? }`);
    if (call.votes !== undefined) countVote(call.votes, result);
    return undefined;
  }
  if (hook === "permissionAsk" && !isPermissionAnswer(result)) {
    throw wrongShape(result, "{ allow: boolean, remember? }");
  }
  if (hook === "providerError" && !isRetryDecision(result)) {
    throw wrongShape(result, "{ retry: false } or { retry: true, delayMs: number }");
  }
  return result;
}

/**
 * What a failure means: an open hook goes on without the tap, a closed one refuses.
 * @throws {PluginError} `gate-failed` of a closed change.
 */
export function refuse(hook: HookName, failure: Diagnostic, call: HookCall): unknown {
  const rule = hookTable[hook];
  if (!rule.gate) return undefined;
  if (rule.kind === "ask") return { allow: false };
  if (rule.kind === "vote") {
    if (call.votes !== undefined) countVote(call.votes, { level: "deny", reason: failure.message });
    return undefined;
  }
  throw new PluginError({
    ...failure,
    code: "gate-failed",
    message: `${failure.message}, so what it guards is refused`,
  });
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function wrongShape(result: unknown, wanted: string): TypeError {
  return new TypeError(`it returned ${shapeOf(result)} where ${wanted} is wanted`);
}

function isPermissionAnswer(value: unknown): boolean {
  return typeof value === "object" && value !== null && "allow" in value && typeof value.allow === "boolean";
}

function isRetryDecision(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("retry" in value)) return false;
  if (value.retry === false) return true;
  return value.retry === true && "delayMs" in value && Number.isFinite(value.delayMs);
}
