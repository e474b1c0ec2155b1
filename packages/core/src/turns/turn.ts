import { randomUUID } from "node:crypto";
import { bounded } from "../async/bounded.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Message, Stop, Usage } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { Audience, Profile } from "../contracts/section.js";
import type { Trigger, Turn, TurnContext, TurnEvent, TurnResult } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { PluginError, toDiagnostic, warning } from "../errors.js";
import { frozen } from "../freeze.js";
import type { HostCore } from "../host-core.js";
import { compactHistory } from "./compact.js";
import { checkPrefix } from "../baseline/guard.js";
import { assertNoError, prepareTurn, userMessage, type Prepared } from "../prompt/prepare.js";
import { noUsage } from "./answer.js";
import { closeOpenCalls } from "./history.js";
import { runRequest } from "./request.js";
import { createRequestRecorder } from "./request-record.js";
import { runCalls, type ActiveTurn } from "./tool-calls.js";
import type { SessionState } from "./session.js";

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
export function startTurn(core: HostCore, session: SessionState, input: TurnInput, signal: AbortSignal): Turn {
  const previous = session.busy;
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
  const run = async (): Promise<TurnResult> => {
    await previous;
    const found: Diagnostic[] = [];
    const hear = (diagnostic: Diagnostic): void => {
      found.push(diagnostic);
      show({ type: "diagnostic", diagnostic });
    };
    const stopped = AbortSignal.any([signal, core.signal]);
    return await core.inTurn(hear, () => runTurn({ core, session, input, signal: stopped, found, show }));
  };
  const result = run().finally(() => show(null));
  session.busy = result;
  return { sessionId: session.info.id, result, [Symbol.asyncIterator]: iterate };
}

interface Running {
  readonly core: HostCore;
  readonly session: SessionState;
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  /** What was reported in this turn so far. */
  readonly found: readonly Diagnostic[];
  show(event: TurnEvent): void;
}

async function runTurn({ core, session, input, signal, found, show }: Running): Promise<TurnResult> {
  const { journal, info } = session;
  const id = randomUUID();
  let request = 0;
  let usage = noUsage;
  let text = "";
  const context = (): TurnContext => {
    const { model } = session;
    return { ...core.place(session.cwd), session: info, model, turnId: id, request, signal };
  };
  const keep = async (message: Message): Promise<void> => {
    await journal.message(id, message);
    session.messages = Object.freeze([...session.messages, frozen(message)]);
    show({ type: "message", message });
  };
  /** What was told is known to the log before the words that tell it. */
  const tell = async ({ message, contents }: Pick<Prepared, "message" | "contents">): Promise<void> => {
    if (Object.keys(contents).length > 0) await journal.append({ type: "contents", turn: id, contents });
    for (const [hash, content] of Object.entries(contents)) session.contents.set(hash, content);
    if (message !== undefined) await keep(message);
  };
  const record = createRequestRecorder(journal, id);
  const prepare = async (words: string): Promise<Prepared> => {
    const prepared = await prepareTurn(core, session, { ...input, text: words }, context());
    const { baseline } = prepared;
    if (baseline !== session.baseline) await journal.append({ type: "baseline", turn: id, baseline });
    session.baseline = baseline;
    await tell(prepared);
    return prepared;
  };
  const work = async (): Promise<Stop> => {
    if (input.compact !== undefined) {
      text = (await compactHistory(core, session, input.compact, context(), session.messages.length, record)) ?? "";
      return "end";
    }
    const words = await readWords(core, session, input, context());
    if (words === undefined) return "end";
    await journal.append({ type: "turn-start", turn: id, trigger: input.trigger, model: session.model });
    let begin = session.messages.length;
    await keep(userMessage(words));
    let prepared = await prepare(words);
    const body = async (): Promise<ProviderRequest> => {
      const { compactWhy: why } = session;
      session.compactWhy = undefined;
      if (why !== undefined && (await compactHistory(core, session, why, context(), begin, record)) !== undefined) {
        begin = 1;
        prepared = await prepare(words);
      }
      return { ...prepared.prompt.request, messages: session.messages };
    };
    const guard = async (sent: ProviderRequest, attempt: number): Promise<void> => {
      const { prompt, baseline, plan } = prepared;
      const ownerOf = (name: string) => prompt.tools.find((tool) => tool.name === name)?.plugin;
      const shown = { pieces: prompt.pieces, sections: baseline.sections };
      const moved = checkPrefix(session, plan, sent, shown, ownerOf, core.bus.authorsOf);
      if (moved !== undefined) core.report(moved);
      const { cache } = core.provider(sent.model).spec.caps(sent.model.id);
      const bust = moved && defined({ message: moved.message, section: moved.section, plugin: moved.plugin });
      await record(sent, session, { request, attempt, cache, pieces: prompt.pieces, ...defined({ bust }) });
      session.lastRequestAt = core.now().getTime();
    };
    const { prompt, judge } = prepared;
    const turn: ActiveTurn = { id, journal, tools: prompt.tools, judge, show };
    core.turns.set(id, turn);
    for (;;) {
      if (core.options.strict === true) assertNoError(found);
      request += 1;
      show({ type: "request", request, model: session.model });
      const answer = await runRequest({ core, journal, context: context(), request: body, show, keep, guard });
      const { content, stop = "end", usage: used = noUsage } = answer;
      usage = addUsage(usage, used);
      text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      show({ type: "usage", usage: used });
      if (stop === "aborted") return stop;
      await core.bus.tell("afterProviderResponse", answer, context());
      if (content.length === 0) {
        const fix = "Ask again, or choose another model";
        core.report(warning("reply-empty", `The model ${session.model.id} answered with nothing`, { fix }));
      }
      const calls = content.filter((block) => block.type === "tool-call");
      for await (const result of runCalls(core, turn, calls, context())) {
        await keep({ id: randomUUID(), role: "tool", content: [result] });
      }
      if (signal.aborted) return "aborted";
      if (calls.length > 0) {
        await tell(await prepared.refresh(session.messages));
        continue;
      }
      if (core.options.strict === true) assertNoError(found);
      return stop === "tools" ? "end" : stop;
    }
  };
  let stop: Stop = "aborted";
  let error: Diagnostic | undefined;
  try {
    stop = await work();
  } catch (thrown) {
    if (!signal.aborted) {
      stop = "error";
      error = toDiagnostic(thrown, { code: "turn-failed" });
      core.report(error);
    }
  }
  session.messages = Object.freeze(closeOpenCalls(session.messages));
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
  { journal }: SessionState,
  { trigger, text }: TurnInput,
  context: TurnContext,
): Promise<string | undefined> {
  if (trigger !== "user") return text;
  const heard = await core.bus.change("userInput", { text }, context);
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(heard.text) ?? [];
  const command = core.commands.find(({ spec }) => spec.name === name || spec.name.endsWith(`/${name}`));
  if (heard.handled !== true && command === undefined) return heard.text;
  await journal.append({ type: "handled-input", turn: context.turnId, text });
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
  const sum = (key: keyof Usage) => a[key] + b[key];
  return { input: sum("input"), cacheRead: sum("cacheRead"), cacheWrite: sum("cacheWrite"), output: sum("output") };
}
