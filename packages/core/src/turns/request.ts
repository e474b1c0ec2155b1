import { randomUUID } from "node:crypto";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Block, Message, Stop, Usage } from "../contracts/message.js";
import type { ProviderFailure, ProviderRequest } from "../contracts/provider.js";
import type { TurnContext, TurnEvent } from "../contracts/turn.js";
import { sleep } from "../async/sleep.js";
import { ProviderError, QuireError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import type { SessionJournal } from "./journal.js";
import { defaultRetry } from "./retry.js";
import { createWriteAhead, type WriteAhead } from "./write-ahead.js";

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

export interface RequestInput {
  readonly core: HostCore;
  readonly journal: SessionJournal;
  readonly context: TurnContext;
  readonly request: ProviderRequest;
  show(event: TurnEvent): void;
}

/**
 * One request of the model to its end, failures retried: the assistant message, stored.
 * @returns With `stop: "aborted"` and what had arrived when the turn is stopped.
 * @throws {ProviderError} When no retry is left.
 */
export async function runRequest(input: RequestInput): Promise<Message> {
  const { core, context } = input;
  const provider = core.provider(input.request.model);
  for (let attempt = 1; ; attempt++) {
    const received = createReceived(randomUUID(), input);
    try {
      const request = await core.bus.change("beforeProviderRequest", input.request, context);
      const events = provider.stream(provider.project(request), context.signal);
      for await (const event of events) {
        context.signal.throwIfAborted();
        if (event.type === "text" || event.type === "thinking" || event.type === "tool-args") received.increment(event);
        else if (event.type === "block") await received.block(event.block);
        else if (event.type === "usage") received.usage = event.usage;
        else if (event.type === "end") received.stop = event.stop;
      }
      context.signal.throwIfAborted();
      return await received.finish(received.stop ?? "end");
    } catch (error) {
      if (context.signal.aborted) return await received.finish("aborted");
      const failure = toFailure(error, attempt);
      const decision = (await core.bus.ask("providerError", failure, context)) ?? defaultRetry(failure);
      if (!decision.retry) throw asProviderError(error, failure);
      core.report(retryNotice(failure, decision.delayMs));
      await sleep(decision.delayMs * core.timeScale, context.signal).catch(() => undefined);
      if (context.signal.aborted) return await received.finish("aborted");
    }
  }
}

interface Received {
  usage: Usage;
  stop: Stop | undefined;
  increment(event: Parameters<WriteAhead["push"]>[0]): void;
  block(block: Block): Promise<void>;
  finish(stop: Stop): Promise<Message>;
}

/** Gathers one attempt's answer; only whole blocks and shown text enter the message. */
function createReceived(id: string, input: RequestInput): Received {
  const { context, journal } = input;
  const blocks: Block[] = [];
  let openText = "";
  const ahead = createWriteAhead(journal, { turn: context.turnId, message: id }, (event) => input.show(event));
  return {
    usage: noUsage,
    stop: undefined,
    increment(event) {
      if (event.type === "text") openText += event.delta;
      ahead.push(event);
    },
    async block(block) {
      await ahead.drain();
      if (block.type === "text") openText = "";
      blocks.push(block);
    },
    async finish(stop) {
      await ahead.drain();
      const kept = stop === "aborted" ? blocks.filter((block) => block.type !== "tool-call") : blocks;
      const content: Block[] = openText === "" ? kept : [...kept, { type: "text", text: openText }];
      const message: Message = {
        id,
        role: "assistant",
        content,
        model: context.model,
        usage: this.usage,
        stop,
      };
      if (content.length === 0) return message;
      await journal.message(context.turnId, message);
      input.show({ type: "message", message });
      return message;
    },
  };
}

function toFailure(error: unknown, attempt: number): ProviderFailure {
  const failure = QuireError.is(error) && "failure" in error ? (error as ProviderError).failure : {};
  return { ...failure, error: error instanceof Error ? error : new Error(String(error)), attempt };
}

function asProviderError(error: unknown, failure: ProviderFailure): Error {
  if (QuireError.is(error)) return error;
  return new ProviderError({
    code: "provider-failed",
    level: "error",
    message: `The model's provider failed: ${failure.error.message}`,
    cause: error,
  });
}

function retryNotice(failure: ProviderFailure, delayMs: number): Diagnostic {
  const what = QuireError.is(failure.error) ? failure.error.diagnostic.message : failure.error.message;
  return {
    code: "provider-retry",
    level: "warn",
    message: `${what}; attempt ${failure.attempt + 1} follows in ${Math.round(delayMs)} ms, and what was shown of this answer does not count`,
  };
}
