import { randomUUID } from "node:crypto";
import type { Message, Stop, ToolCall } from "../contracts/message.js";
import type { Audience, Profile } from "../contracts/section.js";
import type { Trigger, Turn, TurnContext, TurnEvent, TurnResult } from "../contracts/turn.js";
import { toDiagnostic } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { runCalls, type ActiveTurn } from "./active-turn.js";
import { readCommand } from "./command.js";
import { createEventQueue } from "./event-queue.js";
import { addUsage, noUsage, runRequest } from "./request.js";
import type { SessionState } from "./session-state.js";

export interface TurnInput {
  readonly text: string;
  readonly trigger: Trigger;
  readonly audience: Audience;
  readonly profile?: Profile | undefined;
  readonly system?: string | undefined;
  readonly tools?: readonly string[] | undefined;
}

/**
 * Starts a turn once the session is free. Whatever starts a turn goes through here.
 * @param signal Stops the turn at any moment; it then ends as `aborted`.
 */
export function startTurn(core: HostCore, session: SessionState, input: TurnInput, signal: AbortSignal): Turn {
  const previous = session.busy;
  const events = createEventQueue();
  const show = (event: TurnEvent) => events.push(event);
  const stopped = AbortSignal.any([signal, core.signal]);
  const run = async (): Promise<TurnResult> => {
    await previous;
    return await core.inTurn(
      (diagnostic) => show({ type: "diagnostic", diagnostic }),
      () => runTurn(core, session, input, stopped, show),
    );
  };
  const result = run().finally(() => events.close());
  session.busy = result;
  return { sessionId: session.info.id, result, [Symbol.asyncIterator]: () => events.iterate() };
}

async function runTurn(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  signal: AbortSignal,
  show: (event: TurnEvent) => void,
): Promise<TurnResult> {
  const { journal } = session;
  const id = randomUUID();
  let request = 0;
  const context = (): TurnContext => ({
    ...core.place(session.cwd),
    session: session.info,
    model: session.model,
    turnId: id,
    request,
    signal,
  });
  let usage = noUsage;
  let text = "";
  const end = async (stop: Stop, error?: TurnResult["error"]): Promise<TurnResult> => {
    const result: TurnResult = { text, stop, usage, ...(error === undefined ? {} : { error }) };
    // An aborted turn still ends properly: its last hook and record do not hang on the turn's own signal.
    await core.bus.tell("agentEnd", result, { ...context(), signal: core.signal }).catch(() => undefined);
    await journal
      .append({
        type: "turn-end",
        turn: id,
        stop,
        usage,
        ...(error === undefined ? {} : { error: { ...error, cause: undefined } }),
      })
      .catch(() => undefined);
    core.turns.delete(id);
    return result;
  };
  const keep = async (message: Message): Promise<void> => {
    await journal.message(id, message);
    session.messages = [...session.messages, message];
    show({ type: "message", message });
  };
  try {
    const words = await readWords(core, session, input, context());
    if (words === undefined) return await end("end");
    await journal.append({ type: "turn-start", turn: id, trigger: input.trigger, model: session.model });
    await keep(userMessage(words));
    const prepared = await prepareTurn(core, session, {
      trigger: input.trigger,
      prompt: words,
      audience: input.audience,
      profile: input.profile ?? session.profile,
      system: input.system,
      tools: input.tools,
      memo: session.memo,
      context: context(),
    });
    if (prepared.message !== undefined) await keep(prepared.message);
    const turn: ActiveTurn = { id, journal, tools: prepared.tools, show };
    core.turns.set(id, turn);
    for (;;) {
      request += 1;
      show({ type: "request", request, model: session.model });
      const body = { ...prepared.prompt.request, messages: session.messages };
      const answer = await runRequest({ core, journal, context: context(), request: body, show });
      if (answer.content.length > 0) session.messages = [...session.messages, answer];
      usage = addUsage(usage, answer.usage ?? noUsage);
      text = textOf(answer);
      if (answer.usage !== undefined) show({ type: "usage", usage: answer.usage });
      if (answer.stop === "aborted") return await end("aborted");
      await core.bus.tell("afterProviderResponse", answer, context());
      const calls = answer.content.filter((block): block is ToolCall => block.type === "tool-call");
      if (answer.content.length === 0) core.report(emptyReply(session.model.id));
      if (calls.length === 0) return await end(answer.stop === "tools" ? "end" : (answer.stop ?? "end"));
      for await (const result of runCalls(core, turn, calls, context())) {
        await keep({ id: randomUUID(), role: "tool", content: [result] });
      }
      if (signal.aborted) return await end("aborted");
    }
  } catch (error) {
    if (signal.aborted) return await end("aborted");
    const diagnostic = toDiagnostic(error, { code: "turn-failed" });
    core.report(diagnostic);
    return await end("error", diagnostic);
  }
}

/** The words a turn runs with, after hooks and commands; undefined when there is nothing left to do. */
async function readWords(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  context: TurnContext,
): Promise<string | undefined> {
  if (input.trigger !== "user") return input.text;
  const heard = await core.bus.change("userInput", { text: input.text }, context);
  if (heard.handled === true) {
    await session.journal.append({ type: "handled-input", turn: context.turnId, text: input.text });
    return undefined;
  }
  const command = readCommand(core.commands(), heard.text);
  if (command === undefined) return heard.text;
  await session.journal.append({ type: "handled-input", turn: context.turnId, text: input.text });
  const prompt = await command.spec.run(command.args, context);
  return typeof prompt === "string" ? prompt : undefined;
}

function textOf(message: Message): string {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

function emptyReply(model: string) {
  return {
    code: "reply-empty",
    level: "warn",
    message: `The model ${model} answered with nothing`,
    fix: "Ask again, or choose another model",
  } as const;
}
