import { setTimeout as sleep } from "node:timers/promises";
import type { Message, ProviderFailure, ProviderRequest, RetryDecision, StreamEvent, TurnContext } from "../index.js";
import type { TurnEvent } from "../index.js";
import { abortable } from "../async/abortable.js";
import { fault, messageOf, pluginError, ProviderError, QuireError, toDiagnostic, warning } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { createAnswer, type Answer } from "./answer.js";
import type { SessionJournal } from "./journal.js";

/** What a request needs of the turn it belongs to. */
export interface Exchange {
  readonly core: HostCore;
  readonly journal: SessionJournal;
  /** Of this moment. */
  context(): TurnContext;
  /** What to send, asked before each attempt. */
  request(): Promise<ProviderRequest>;
  show(event: TurnEvent): void;
  /** Sees what is about to be sent, and keeps a record of it. `attempt` counts from 1. */
  guard(request: ProviderRequest, attempt: number): Promise<void>;
  /** Stores the answer. */
  keep(message: Message): Promise<void>;
  /**
   * Another model goes on, if it may.
   * @throws {ConfigError} `model-unknown`.
   */
  useModel?(name: string): void;
}

/**
 * One request of the model to its end, failures retried: the assistant message, stored.
 * @returns With `stop: "aborted"` and what had arrived when the turn is stopped.
 * @throws {ProviderError} When no retry is left; what was shown is stored. {QuireError} What failed on our side.
 */
export async function runRequest(exchange: Exchange): Promise<Message> {
  const { core, journal, show } = exchange;
  const finish = async (answer: Answer, stop?: "aborted" | "error"): Promise<Message> => {
    const message = await answer.finish(stop);
    if (message.content.length > 0) await exchange.keep(message);
    return message;
  };
  let failures = 0;
  /** Milliseconds since the first failure of this model, as waited for. */
  let spentMs = 0;
  for (let attempt = 1; ; attempt++) {
    const context = exchange.context();
    const { signal, turnId, model } = context;
    const answer = createAnswer(journal, turnId, model, show);
    try {
      const request = await core.bus.change("beforeProviderRequest", await exchange.request(), context);
      await exchange.guard(request, attempt);
      const begun = performance.now();
      const failed = await receive(core, request, answer, signal);
      if (failed === undefined) return await finish(answer);
      failures += 1;
      if (failures > 1) spentMs += performance.now() - begun;
      const failure = toFailure(failed.error, failures, spentMs);
      // What was shown is shown before it is taken back.
      const isShown = (await answer.finish("error")).content.length > 0;
      const decision = (await core.bus.ask("providerError", failure, context)) ?? failure.planned;
      const other = decision.retry ? decision.model : undefined;
      if (!decision.retry || (other !== undefined && !turnTo(other, exchange))) {
        await finish(answer, "error");
        throw asProviderError(failed.error);
      }
      const again = `attempt ${failures + 1} follows in ${Math.round(decision.delayMs)} ms`;
      const next = other === undefined ? again : `${other} goes on with this turn`;
      const message = `${messageOf(failure.error)}; ${next}${isShown ? ", and what was shown of this answer does not count" : ""}`;
      core.report(warning(other === undefined ? "provider-retry" : "provider-fallback", message));
      if (other !== undefined) failures = spentMs = 0;
      spentMs += decision.delayMs;
      await sleep(decision.delayMs * core.timeScale, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      return await finish(answer, "aborted");
    }
  }
}

/** Whether another model goes on. */
function turnTo(model: string, { core, useModel }: Exchange): boolean {
  try {
    useModel?.(model);
    return useModel !== undefined;
  } catch (error) {
    core.report(toDiagnostic(error, { code: "model-unknown" }));
    return false;
  }
}

/**
 * One attempt.
 * @returns What the provider failed with, or undefined when the stream came to its end.
 * @throws {PluginError} `provider-project-failed`. The reason of an abort. {QuireError} `log-failed`.
 */
async function receive(
  core: HostCore,
  request: ProviderRequest,
  answer: Answer,
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | undefined> {
  const { spec: provider, owner: plugin } = core.provider(request.model);
  const { enter, within } = core.entering;
  const wire = await within(plugin, () => provider.project(request)).catch((cause: unknown) => {
    const message = `The provider "${provider.name}" could not form the request: ${messageOf(cause)}`;
    throw pluginError("provider-project-failed", message, { plugin, cause });
  });
  const stream = abortable(() => provider.stream(wire, signal), signal);
  try {
    for (;;) {
      let step: IteratorResult<StreamEvent>;
      const leave = enter(plugin);
      try {
        step = await stream.next();
      } catch (error) {
        signal.throwIfAborted();
        return { error };
      } finally {
        leave();
      }
      if (step.done === true) return undefined;
      const taken = answer.take(step.value);
      if (taken !== undefined) await taken;
    }
  } finally {
    await stream.return?.();
  }
}

function toFailure(error: unknown, attempt: number, spentMs: number): ProviderFailure {
  const known = QuireError.is(error) && "failure" in error ? (error as ProviderError).failure : {};
  const failure = { ...known, error: error instanceof Error ? error : new Error(String(error)), attempt };
  return { ...failure, planned: defaultRetry(failure, spentMs) };
}

/**
 * What the host does about a failed request when no plugin decides: connection faults, 408, 409, 425, 429 and 5xx are
 * retried with a growing, jittered delay or the one the vendor asked for, as long as the budget lasts.
 */
function defaultRetry(
  { status, attempt, retryAfterMs }: Omit<ProviderFailure, "planned">,
  spentMs: number,
): RetryDecision {
  const isWorthIt = status === undefined || retryable.has(status) || status >= 500;
  if (!isWorthIt || attempt >= maxAttempts || (retryAfterMs ?? 0) > longestAskedMs) return { retry: false };
  const ceiling = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  const delayMs = retryAfterMs ?? ceiling * (0.5 + Math.random() / 2);
  return spentMs + delayMs > budgetMs ? { retry: false } : { retry: true, delayMs };
}

const retryable = new Set([408, 409, 425, 429]);
const maxAttempts = 5;
const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** A vendor that asks for more is not waited for. */
const longestAskedMs = 60_000;
/** From the first failure to the begin of the last attempt. */
const budgetMs = 180_000;

function asProviderError(cause: unknown): Error {
  if (QuireError.is(cause)) return cause;
  return new ProviderError(fault("provider-failed", `The model's provider failed: ${messageOf(cause)}`, { cause }));
}
