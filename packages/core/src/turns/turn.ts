import { randomUUID } from "node:crypto";
import type { Audience, Diagnostic, Message, ModelRef, Profile, ProviderRequest, Stop, Trigger } from "../index.js";
import type { Turn, TurnContext, TurnEvent, TurnResult, Usage } from "../index.js";
import type { HostTool } from "../host-door.js";
import { defined, frozen } from "../plain-data.js";
import { keepContents } from "../baseline/baseline.js";
import { checkPrefix } from "../baseline/guard.js";
import { bounded } from "../async/bounded.js";
import { PluginError, toDiagnostic, warning } from "../errors.js";
import { assertNoError, prepareTurn, userMessage, type Prepared, type Telling } from "../prompt/prepare.js";
import { noUsage } from "./answer.js";
import { closeOpenCalls } from "./history.js";
import { compactHistory } from "./compact.js";
import { runRequest } from "./request.js";
import type { OpenSession } from "./session.js";
import { createRequestRecorder } from "./request-record.js";
import { runCalls } from "./tool-calls.js";

/** What a turn is started with. */
export interface TurnInput {
  /** The user's words; empty in a view of the prompt without any. */
  readonly text: string;
  readonly trigger: Trigger;
  readonly audience: Audience;
  readonly profile?: Profile | undefined;
  /** Replaces the whole prefix. */
  readonly system?: string | undefined;
  /** Names of the only tools this turn may use. */
  readonly tools?: readonly string[] | undefined;
  /** Only this is done: the history is compacted, for this reason. */
  readonly compact?: string | undefined;
}

/**
 * Starts a turn once the session is free. Whatever starts a turn goes through here.
 * @param signal Stops the turn at any moment; it then ends as `aborted`.
 */
export function startTurn(session: OpenSession, input: TurnInput, signal: AbortSignal): Turn {
  const waiting: (TurnEvent | null)[] = [];
  let wake = (): void => {};
  /** Kept until somebody iterates; null is the end. */
  const show = (event: TurnEvent | null): void => {
    waiting.push(event);
    wake();
  };
  async function* iterate(): AsyncGenerator<TurnEvent> {
    for (;;) {
      const event = waiting[0];
      if (event === null) return;
      if (event === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield waiting.shift() ?? event;
    }
  }
  const stopped = AbortSignal.any([signal, session.core.life.signal]);
  const turn = createRunning({ id: randomUUID(), session, input, signal: stopped, show });
  const result = session.busy.then(() => runTurn(turn)).finally(() => show(null));
  session.busy = result;
  return { sessionId: session.info.id, result, [Symbol.asyncIterator]: iterate };
}

/** A turn under way, as its requests and tools need it. */
export interface RunningTurn {
  readonly id: string;
  readonly session: OpenSession;
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  show(event: TurnEvent): void;
  /** What was reported in it so far. */
  readonly found: Diagnostic[];
  request: number;
  usage: Usage;
  /** Of the last answer. */
  text: string;
  /** Declared to the model, those that are off included. */
  tools: readonly HostTool[];
  /** Goes on in place of the session's model, which failed. */
  fallback: ModelRef | undefined;
  readonly model: ModelRef;
  /** A tool as this turn may use it. */
  judge: (tool: HostTool) => HostTool;
  /** Of this moment. */
  context(signal?: AbortSignal): TurnContext;
  /** Stores a message, then shows it. */
  keep(message: Message): Promise<void>;
}

type Given = Pick<RunningTurn, "id" | "session" | "input" | "signal" | "show">;

function createRunning(given: Given): RunningTurn {
  const { id, session, show } = given;
  const place = session.core.place(session.cwd);
  const judge = (tool: HostTool): HostTool => tool;
  const start = { judge, found: [], request: 0, usage: noUsage, text: "", tools: [], fallback: undefined };
  const turn: RunningTurn = {
    ...given,
    ...start,
    get model() {
      return turn.fallback ?? session.model;
    },
    context(signal = given.signal) {
      return { ...place, session: session.info, model: turn.model, turnId: id, request: turn.request, signal };
    },
    async keep(message) {
      await session.journal.message(id, message);
      session.messages = Object.freeze([...session.messages, frozen(message)]);
      show({ type: "message", message });
    },
  };
  return turn;
}

async function runTurn(turn: RunningTurn): Promise<TurnResult> {
  const { id, session, signal } = turn;
  const { core, journal } = session;
  const hear = (diagnostic: Diagnostic): void => {
    turn.found.push(diagnostic);
    turn.show({ type: "diagnostic", diagnostic });
  };
  return await core.inTurn(hear, async () => {
    core.turns.set(id, turn);
    let stop: Stop = "aborted";
    let error: Diagnostic | undefined;
    try {
      stop = await work(turn);
    } catch (thrown) {
      if (!signal.aborted) {
        stop = "error";
        error = toDiagnostic(thrown, { code: "turn-failed" });
        core.report(error);
      }
    }
    core.turns.delete(id);
    // Earlier turns ended so too.
    const { messages } = session;
    const begin = Math.max(0, messages.findLastIndex(isOfUser));
    session.messages = Object.freeze([...messages.slice(0, begin), ...closeOpenCalls(messages.slice(begin))]);
    const { text, usage } = turn;
    const result: TurnResult = { text, stop, usage, ...defined({ error }) };
    // A stopped turn still ends properly: its last hook does not hang on the turn's own signal.
    await core.bus.tell("agentEnd", result, turn.context(new AbortController().signal));
    const stored = error === undefined ? {} : { error: { ...error, cause: undefined } };
    await journal.append({ type: "turn-end", turn: id, stop, usage, ...stored }).catch(() => undefined);
    return result;
  });
}

/** Requests and tool calls, until the model has none left to call. */
async function work(turn: RunningTurn): Promise<Stop> {
  const { id, session, input, show } = turn;
  const { core, journal, prefix } = session;
  const record = createRequestRecorder(journal, id);
  const compact = (why: string, keepFrom: number) => compactHistory(session, why, turn.context(), keepFrom, record);
  if (input.compact !== undefined) {
    turn.text = (await compact(input.compact, session.messages.length)) ?? "";
    return "end";
  }
  const words = await readWords(turn);
  if (words === undefined) return "end";
  await journal.append({ type: "turn-start", turn: id, trigger: input.trigger, model: session.model });
  let begin = session.messages.length;
  await turn.keep(userMessage(words));
  let prepared = await prepare(turn, words);
  let isOutdated = false;
  const useModel = (name: string): void => {
    turn.fallback = core.resolveModel(name, session.cwd);
    isOutdated = true;
  };
  const request = async (): Promise<ProviderRequest> => {
    const { compactWhy: why } = session;
    session.compactWhy = undefined;
    if (why !== undefined && (await compact(why, begin)) !== undefined) {
      begin = 1;
      isOutdated = true;
    }
    if (isOutdated) prepared = await prepare(turn, words);
    isOutdated = false;
    return { ...prepared.prompt.request, messages: session.messages };
  };
  const guard = async (sent: ProviderRequest, attempt: number): Promise<void> => {
    const { prompt, baseline, plan } = prepared;
    const { pieces } = prompt;
    const ownerOf = (name: string) => prompt.tools.find((tool) => tool.name === name)?.plugin;
    const moved = checkPrefix(prefix, plan, sent, { ...baseline, pieces }, ownerOf, core.bus.authorsOf);
    if (moved !== undefined) core.report(moved);
    const { cache } = core.provider(sent.model).spec.caps(sent.model.id);
    const bust = moved && defined({ message: moved.message, section: moved.section, plugin: moved.plugin });
    await record(sent, session, { request: turn.request, attempt, cache, pieces, ...defined({ bust }) });
    prefix.lastRequestAt = core.now().getTime();
  };
  const keep = (message: Message) => turn.keep(message);
  const stopAtErrors = (): void => void (core.options.strict === true && assertNoError(turn.found));
  for (;;) {
    stopAtErrors();
    turn.request += 1;
    show({ type: "request", request: turn.request, model: turn.model });
    const context = () => turn.context();
    const answer = await runRequest({ core, journal, context, request, show, keep, guard, useModel });
    const { content, stop = "end", usage = noUsage } = answer;
    turn.usage = addUsage(turn.usage, usage);
    turn.text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    show({ type: "usage", usage });
    if (stop === "aborted") return stop;
    await core.bus.tell("afterProviderResponse", answer, turn.context());
    if (content.length === 0) {
      const fix = "Ask again, or choose another model";
      core.report(warning("reply-empty", `The model ${turn.model.id} answered with nothing`, { fix }));
    }
    const calls = content.filter((block) => block.type === "tool-call");
    for await (const result of runCalls(turn, calls)) {
      await turn.keep({ id: randomUUID(), role: "tool", content: [result] });
    }
    if (turn.signal.aborted) return "aborted";
    if (calls.length === 0) {
      stopAtErrors();
      return stop === "tools" ? "end" : stop;
    }
    await tell(turn, await prepared.refresh(session.messages));
  }
}

/** The prompt of the turn; a new prefix is in the log before anything stands on it. */
async function prepare(turn: RunningTurn, words: string): Promise<Prepared> {
  const { id, session, input } = turn;
  const { journal, prefix } = session;
  const { core, cwd, info, options, messages, memo } = session;
  const view = { core, cwd, info, options, messages, memo, prefix, model: turn.model };
  const prepared = await prepareTurn(view, { ...input, text: words }, turn.context());
  const { baseline } = prepared;
  Object.assign(turn, { tools: prepared.prompt.tools, judge: prepared.judge });
  if (baseline !== prefix.baseline) await journal.append({ type: "baseline", turn: id, baseline });
  prefix.baseline = baseline;
  await tell(turn, prepared);
  return prepared;
}

/** What was told is known to the log before the words that tell it. */
async function tell(turn: RunningTurn, { message, contents }: Telling): Promise<void> {
  const { id, session } = turn;
  if (Object.keys(contents).length > 0) await session.journal.append({ type: "contents", turn: id, contents });
  keepContents(session.prefix, contents);
  if (message !== undefined) await turn.keep(message);
}

/** The words a turn runs with, after hooks and commands; undefined when there is nothing left to do. */
async function readWords(turn: RunningTurn): Promise<string | undefined> {
  const { text, trigger } = turn.input;
  if (trigger !== "user") return text;
  const { core, journal } = turn.session;
  const context = turn.context();
  const heard = await core.bus.change("userInput", { text }, context);
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(heard.text) ?? [];
  const command = core.commands.entries().find(({ spec }) => `/${spec.name}`.endsWith(`/${name}`));
  if (heard.handled !== true && (name === "" || command === undefined)) return heard.text;
  await journal.append({ type: "handled-input", turn: turn.id, text });
  if (heard.handled === true || command === undefined) return undefined;
  const { spec, owner: plugin } = command;
  try {
    const run = () => bounded(() => spec.run(args.trim(), context), null, turn.signal);
    const prompt = await core.entering.within(plugin, run);
    return typeof prompt === "string" ? prompt : undefined;
  } catch (cause) {
    const found = toDiagnostic(cause, { code: "command-failed" });
    throw new PluginError({ ...found, plugin, message: `The command "/${name}" failed: ${found.message}` });
  }
}

const isOfUser = ({ role }: Message): boolean => role === "user";

function addUsage(a: Usage, b: Usage): Usage {
  const sum = (key: keyof Usage) => a[key] + b[key];
  return { input: sum("input"), cacheRead: sum("cacheRead"), cacheWrite: sum("cacheWrite"), output: sum("output") };
}
