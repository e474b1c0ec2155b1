import type { Diagnostic, TurnResult } from "@quire/core";
import type { Session } from "@quire/core/host";
import { stuckError } from "../empty-loop.js";
import type { ExitCode } from "../exit-code.js";
import type { DiagnosticSink } from "../output/diagnostic-sink.js";
import type { Started } from "../start-host.js";
import { readInputLines } from "./input-lines.js";
import type { TurnWriter } from "./turn-writer.js";

/** A session whose turns are printed. */
export interface Conversation {
  readonly started: Started;
  readonly session: Session;
  readonly writer: TurnWriter;
  readonly sink: DiagnosticSink;
}

/** Runs one turn from its words to its end, printing it as it goes. */
export async function runTurn(
  { started, session, writer, sink }: Conversation,
  prompt: string,
  signal: AbortSignal,
): Promise<TurnResult> {
  const about = aboutOf(session);
  writer.start({ ...about, prompt });
  const close = started.ledger.startTurn(session.info.id);
  const turn = session.send(prompt, signal);
  for await (const event of turn) {
    writer.event(event);
    if (event.type === "diagnostic") sink.report(event.diagnostic);
  }
  const stuck = stuckError(signal);
  const result: TurnResult = { ...(await turn.result), ...(stuck !== undefined && { stop: "error", error: stuck }) };
  if (result.error !== undefined) sink.report(result.error);
  const bill = writer.showsBill && {
    bill: close({ model: about.model, usage: result.usage }, started.models),
  };
  writer.end(result, { ...about, ...bill, diagnostics: sink.take() });
  return result;
}

/** One prompt, one answer. A line that calls a command of the host is answered without a turn. */
export async function runOnce(conversation: Conversation, prompt: string, signal: AbortSignal): Promise<ExitCode> {
  if (prompt.startsWith("/") && (await runCommandLine(conversation, prompt))) return 0;
  return exitCodeOfTurn(await runTurn(conversation, prompt, signal));
}

/**
 * A turn for each line of standard input. A bad line is reported and the next one is read; the exit code tells.
 * @param first Words that were typed: the first turn.
 */
export async function runInputLines(
  conversation: Conversation,
  first: string | undefined,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { sink, writer } = conversation;
  let worst: ExitCode = 0;
  const run = async (prompt: string) => {
    const code = await runOnce(conversation, prompt, signal);
    if (code !== 0) worst = code;
  };
  const refuse = (diagnostic: Diagnostic) => {
    sink.report(diagnostic);
    writer.refuse(diagnostic, sink.take());
    worst = 1;
  };
  if (first !== undefined) await run(first);
  for await (const line of readInputLines(process.stdin, signal)) {
    if (line.kind === "bad") refuse(line.diagnostic);
    else await run(line.text);
    if (signal.aborted) break;
  }
  return signal.aborted && stuckError(signal) === undefined ? 130 : worst;
}

async function runCommandLine(conversation: Conversation, line: string): Promise<boolean> {
  const { started, session, writer, sink } = conversation;
  const { runSessionCommand, unknownCommand } = await import("../session-commands/session-commands.js");
  const where = { started, session, terminal: false };
  const text = await runSessionCommand(line, where);
  if (text === undefined) {
    const unknown = await unknownCommand(line, where);
    if (unknown !== undefined) sink.report(unknown);
    return false;
  }
  const about = aboutOf(session);
  writer.start({ ...about, prompt: line });
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  writer.end({ text, stop: "end", usage }, { ...about, diagnostics: sink.take() });
  return true;
}

function aboutOf({ info, model }: Session): { readonly session: string; readonly model: string } {
  return { session: info.id, model: `${model.provider}/${model.id}` };
}

function exitCodeOfTurn(result: TurnResult): ExitCode {
  if (result.stop === "aborted") return 130;
  return result.stop === "error" || result.error !== undefined ? 1 : 0;
}
