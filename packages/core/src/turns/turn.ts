import { randomUUID } from "node:crypto";
import { bounded } from "../async/bounded.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Message, Stop, Usage } from "../contracts/message.js";
import type { Turn, TurnContext, TurnEvent, TurnResult } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { PluginError, toDiagnostic, warning } from "../errors.js";
import { frozen } from "../freeze.js";
import type { HostCore } from "../host-core.js";
import { assertNoError, prepareTurn, userMessage } from "../prompt/prepare.js";
import { noUsage } from "./answer.js";
import { createEventQueue } from "./event-queue.js";
import { runRequest } from "./request.js";
import { runCalls, type ActiveTurn } from "./run-calls.js";
import type { SessionState, TurnInput } from "./session-state.js";

/**
 * Starts a turn once the session is free. Whatever starts a turn goes through here.
 * @param signal Stops the turn at any moment; it then ends as `aborted`.
 */
export function startTurn(core: HostCore, session: SessionState, input: TurnInput, signal: AbortSignal): Turn {
  const previous = session.busy;
  const events = createEventQueue();
  const found: Diagnostic[] = [];
  const hear = (diagnostic: Diagnostic): void => {
    found.push(diagnostic);
    events.push({ type: "diagnostic", diagnostic });
  };
  const stopped = AbortSignal.any([signal, core.signal]);
  const run = async (): Promise<TurnResult> => {
    await previous;
    return await core.inTurn(hear, () => runTurn(core, session, input, stopped, found, (event) => events.push(event)));
  };
  const result = run().finally(() => events.close());
  session.busy = result;
  return { sessionId: session.info.id, result, [Symbol.asyncIterator]: () => events.iterate() };
}

/** @param found What was reported in this turn so far. */
async function runTurn(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  signal: AbortSignal,
  found: readonly Diagnostic[],
  show: (event: TurnEvent) => void,
): Promise<TurnResult> {
  const { journal } = session;
  const id = randomUUID();
  let request = 0;
  let usage = noUsage;
  let text = "";
  const context = (): TurnContext => ({
    ...core.place(session.cwd),
    session: session.info,
    model: session.model,
    turnId: id,
    request,
    signal,
  });
  const keep = async (message: Message): Promise<void> => {
    await journal.message(id, message);
    session.messages = Object.freeze([...session.messages, frozen(message)]);
    show({ type: "message", message });
  };
  const work = async (): Promise<Stop> => {
    const words = await readWords(core, session, input, context());
    if (words === undefined) return "end";
    await journal.append({ type: "turn-start", turn: id, trigger: input.trigger, model: session.model });
    await keep(userMessage(words));
    const { prompt, message, judge } = await prepareTurn(core, session, { ...input, text: words }, context());
    if (message !== undefined) await keep(message);
    const turn: ActiveTurn = { id, journal, tools: prompt.tools, judge, show };
    core.turns.set(id, turn);
    for (;;) {
      if (core.options.strict === true) assertNoError(found);
      request += 1;
      show({ type: "request", request, model: session.model });
      const body = { ...prompt.request, messages: session.messages };
      const answer = await runRequest({ core, journal, context: context(), request: body, show, keep });
      usage = addUsage(usage, answer.usage ?? noUsage);
      text = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      show({ type: "usage", usage: answer.usage ?? noUsage });
      if (answer.stop === "aborted") return "aborted";
      await core.bus.tell("afterProviderResponse", answer, context());
      if (answer.content.length === 0) core.report(emptyReply(session.model.id));
      const calls = answer.content.filter((block) => block.type === "tool-call");
      for await (const result of runCalls(core, turn, calls, context())) {
        await keep({ id: randomUUID(), role: "tool", content: [result] });
      }
      if (signal.aborted) return "aborted";
      if (calls.length > 0) continue;
      if (core.options.strict === true) assertNoError(found);
      return answer.stop === "tools" ? "end" : (answer.stop ?? "end");
    }
  };
  let stop: Stop;
  let error: Diagnostic | undefined;
  try {
    stop = await work();
  } catch (thrown) {
    stop = signal.aborted ? "aborted" : "error";
    if (!signal.aborted) core.report((error = toDiagnostic(thrown, { code: "turn-failed" })));
  }
  const result: TurnResult = { text, stop, usage, ...defined({ error }) };
  // A stopped turn still ends properly: its last hook does not hang on the turn's own signal.
  await core.bus.tell("agentEnd", result, { ...context(), signal: new AbortController().signal });
  const stored = error === undefined ? {} : { error: { ...error, cause: undefined } };
  await journal.append({ type: "turn-end", turn: id, stop, usage, ...stored }).catch(() => undefined);
  core.turns.delete(id);
  return result;
}

/** The words a turn runs with, after hooks and commands; undefined when there is nothing left to do. */
async function readWords(
  core: HostCore,
  session: SessionState,
  { trigger, text }: TurnInput,
  context: TurnContext,
): Promise<string | undefined> {
  if (trigger !== "user") return text;
  const heard = await core.bus.change("userInput", { text }, context);
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(heard.text) ?? [];
  const command = core.commands.find(({ spec }) => spec.name === name || spec.name.endsWith(`/${name}`));
  if (heard.handled !== true && command === undefined) return heard.text;
  await session.journal.append({ type: "handled-input", turn: context.turnId, text });
  if (heard.handled === true || command === undefined) return undefined;
  const { spec, owner: plugin } = command;
  try {
    const run = () => bounded(() => spec.run(args.trim(), context), null, context.signal);
    const prompt = await core.entering.within(plugin, run);
    return typeof prompt === "string" ? prompt : undefined;
  } catch (cause) {
    const found = toDiagnostic(cause, { code: "command-failed" });
    throw new PluginError({ ...found, plugin, message: `The command "/${name}" failed: ${found.message}` });
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

function emptyReply(model: string): Diagnostic {
  const fix = "Ask again, or choose another model";
  return warning("reply-empty", `The model ${model} answered with nothing`, { fix });
}
