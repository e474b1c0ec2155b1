import { QuireError } from "@quire/core";
import type { Session } from "@quire/core/host";
import type { Flags } from "../args/flags.js";
import type { ExitCode } from "../exit-code.js";
import type { Launch } from "../launch.js";
import { openSession, type OpenedSession } from "../open-session.js";
import { diagnosticLine, DiagnosticSink } from "../output/diagnostic-sink.js";
import type { Streams } from "../output/streams.js";
import { runSessionCommand, unknownCommand } from "../session-commands/session-commands.js";
import { startRefusal } from "../start-refusal.js";
import { startHost, type Started } from "../start-host.js";
import type { TextWriter } from "../turn/text-writer.js";
import { runTurn } from "../turn/run-turns.js";
import { noteUntrusted } from "../untrusted.js";
import { LineEditor } from "./line-editor.js";
import { terminalWriter } from "./terminal-writer.js";

/** A conversation on a terminal, line by line, until the user leaves. */
export async function interact(
  launch: Launch,
  words: readonly string[],
  flags: Flags,
  streams: Streams,
): Promise<ExitCode> {
  let turn: AbortController | undefined;
  const writer = openWriter(streams);
  const editor = new LineEditor(process.stdin, process.stdout, {
    stop: () => turn?.abort(),
    queued: (line) => writer.note(`agent: queued: ${line.replaceAll("\n", " ")}`),
    leaving: () => streams.note("Ctrl-C once more, or Ctrl-D, leaves"),
  });
  const sink = new DiagnosticSink((line) => streams.err.write(`${line}\n`));
  let started: Started | undefined;
  let opened: OpenedSession | undefined;
  try {
    started = await startHost(launch, flags, sink, {
      ask: (question) => editor.ask(question),
      confirmTrust: (what) => confirmTrust(editor, streams, what),
    });
    noteUntrusted(started.loaded, sink);
    if (startRefusal(started, flags, sink) !== undefined) return 1;
    opened = await openSession(started, flags, true);
    const { session, notices } = opened;
    for (const notice of notices) streams.note(notice);
    streams.note(`${launch.version}, model ${modelName(session)}, ${started.loaded.place.cwd}; /help lists commands`);
    launch.kind("turn");
    let line: string | null = words.join(" ").trim();
    for (;;) {
      if (line === "") line = await editor.next();
      if (line === null || line.trim() === "/quit") return 0;
      turn = new AbortController();
      editor.working = true;
      await take(line, { started, session, sink, streams, writer, signal: turn.signal });
      editor.working = false;
      turn = undefined;
      line = "";
    }
  } finally {
    editor.close();
    await started?.close();
    await opened?.release();
  }
}

interface Taking {
  readonly started: Started;
  readonly session: Session;
  readonly sink: DiagnosticSink;
  readonly streams: Streams;
  readonly writer: TextWriter;
  readonly signal: AbortSignal;
}

/** One line: a command of the host, or a turn. A failure is told, and the conversation goes on. */
async function take(line: string, { started, session, sink, streams, writer, signal }: Taking): Promise<void> {
  if (line.trim() === "") return;
  try {
    const where = { started, session, terminal: true };
    const printed = await runSessionCommand(line, where);
    const unknown = printed === undefined ? await unknownCommand(line, where) : undefined;
    if (unknown !== undefined) streams.err.write(`${diagnosticLine(unknown)}\n`);
    if (printed === undefined) await runTurn({ started, session, writer, sink }, line, signal);
    else streams.out.write(printed);
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    streams.err.write(`${diagnosticLine(error.diagnostic)}\n`);
  }
}

function openWriter(streams: Streams): TextWriter {
  const colors = process.stdout.hasColors() && !process.env["NO_COLOR"];
  return terminalWriter((text) => streams.out.write(text), colors);
}

async function confirmTrust(editor: LineEditor, streams: Streams, what: readonly string[]): Promise<boolean> {
  streams.note("this project brings what can run, or change prompt, models or permissions:");
  for (const line of what) streams.err.write(`  ${line}\n`);
  const answer = await editor.ask("Trust it as it is now? [y/N]");
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function modelName({ model }: Session): string {
  return `${model.provider}/${model.id}`;
}
