import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError } from "@quire/core";
import type { Config, StreamEvent } from "@quire/core";
import { argumentText, chunksOf, stopOf, usageOf } from "../model-server/reply.js";
import type { Fault, Reply } from "../model-server/reply.js";

/**
 * A reply as a provider would yield it, faults included: a status and a broken stream throw, a stall waits for the abort.
 * @param count Position of the request, from 1: makes ids unique.
 */
export async function* playReply(
  reply: Reply,
  provider: string,
  count: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { fault } = reply;
  if (fault?.kind === "status" || fault?.kind === "empty") throw faultError(fault);
  const intact = fault?.afterEvents ?? Number.POSITIVE_INFINITY;
  for (const [index, event] of eventsOf(reply, provider, count).entries()) {
    if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { signal });
    signal.throwIfAborted();
    if (fault !== undefined && index >= intact) break;
    yield event;
  }
  if (fault === undefined) return;
  if (fault.kind === "stall") await aborted(signal);
  throw faultError(fault);
}

function eventsOf(reply: Reply, provider: string, count: number): readonly StreamEvent[] {
  const { thinking, text } = reply;
  const events: StreamEvent[] = [];
  if (thinking !== undefined) {
    for (const delta of chunksOf(thinking, reply.chunk)) events.push({ type: "thinking", delta });
    events.push({ type: "block", block: { type: "thinking", text: thinking, provider } });
  }
  if (text !== undefined) {
    for (const delta of chunksOf(text, reply.chunk)) events.push({ type: "text", delta });
    events.push({ type: "block", block: { type: "text", text } });
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const { name } = call;
    const id = call.id ?? `call-${count}-${index + 1}`;
    for (const delta of chunksOf(argumentText(call), reply.chunk)) events.push({ type: "tool-args", id, name, delta });
    const args: Config = typeof call.args === "string" ? { $invalid: call.args } : call.args;
    events.push({ type: "block", block: { type: "tool-call", id, name, args } });
  }
  events.push({ type: "usage", usage: usageOf(reply, "") }, { type: "end", stop: stopOf(reply) });
  return events;
}

function faultError(fault: Fault): ProviderError {
  if (fault.kind === "error") {
    const message = `The script says ${fault.status} in the middle of an answer`;
    return new ProviderError({ code: "provider-refused", level: "error", message }, { status: fault.status });
  }
  if (fault.kind !== "status") {
    const message = `The script breaks the answer off: ${fault.kind}`;
    return new ProviderError({ code: "provider-connection", level: "error", message });
  }
  const said = typeof fault.body === "string" ? `: ${fault.body}` : "";
  const seconds = Number(fault.retryAfter);
  return new ProviderError(
    { code: "provider-refused", level: "error", message: `The script answers ${fault.status}${said}` },
    { status: fault.status, ...(Number.isNaN(seconds) ? {} : { retryAfterMs: seconds * 1000 }) },
  );
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
