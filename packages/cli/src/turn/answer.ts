import { QuireError, type Diagnostic } from "@quire/core";
import { helpText } from "../args/parse-arguments.js";
import type { Flags } from "../args/flags.js";
import type { ExitCode } from "../exit-code.js";
import type { Launch } from "../launch.js";
import { openSession, type OpenedSession } from "../open-session.js";
import { diagnosticLine, DiagnosticSink } from "../output/diagnostic-sink.js";
import type { Streams } from "../output/streams.js";
import { startRefusal } from "../start-refusal.js";
import { startHost, type Started } from "../start-host.js";
import { noteUntrusted } from "../untrusted.js";
import { composePrompt } from "./compose-prompt.js";
import { JsonWriter } from "./json-writer.js";
import { readPipedText } from "./piped-text.js";
import { runInputLines, runOnce } from "./run-turns.js";
import { StreamJsonWriter } from "./stream-json-writer.js";
import { TextWriter } from "./text-writer.js";
import type { TurnWriter } from "./turn-writer.js";

/**
 * Answers without a terminal: one prompt, or with `--input-format stream-json` as many as come.
 * @throws {QuireError} Whatever keeps a turn from starting; in JSON formats it was printed to standard output too.
 */
export async function answer(
  launch: Launch,
  words: readonly string[],
  flags: Flags,
  streams: Streams,
  signal: AbortSignal,
): Promise<ExitCode> {
  const isStream = flags.inputFormat === "stream-json";
  const silent = () => streams.note("waiting for text on standard input; `< /dev/null` says that none comes");
  const piped = isStream ? undefined : await readPipedText(silent, signal);
  const prompt = composePrompt(words, piped);
  if (signal.aborted) return 130;
  const writer = createWriter(flags, streams);
  if (prompt === undefined && !isStream) {
    if (!flags.print) streams.err.write(helpText());
    writer.refuse(noPrompt, [noPrompt]);
    streams.err.write(`${diagnosticLine(noPrompt)}\n`);
    return 2;
  }
  const sink = new DiagnosticSink((line) => streams.err.write(`${line}\n`));
  let started: Started | undefined;
  let opened: OpenedSession | undefined;
  try {
    started = await startHost(launch, flags, sink);
    noteUntrusted(started.loaded, sink);
    const stop = startRefusal(started, flags, sink);
    if (stop !== undefined) {
      writer.refuse(stop, sink.all);
      return 1;
    }
    opened = await openSession(started, flags);
    const { session, notices } = opened;
    for (const notice of notices) streams.note(notice);
    launch.kind("turn");
    const conversation = { started, session, writer, sink };
    if (isStream) return await runInputLines(conversation, prompt, signal);
    return await runOnce(conversation, prompt ?? "", signal);
  } catch (error) {
    if (QuireError.is(error)) writer.refuse(error.diagnostic, [...sink.all, error.diagnostic]);
    throw error;
  } finally {
    await started?.close();
    await opened?.release();
  }
}

function createWriter(flags: Flags, streams: Streams): TurnWriter {
  const out = (text: string) => streams.out.write(text);
  if (flags.outputFormat === "json") return new JsonWriter(out);
  if (flags.outputFormat === "stream-json") return new StreamJsonWriter(out);
  // Nobody is there to be told of what a reader that went away no longer sees.
  const err = (text: string) => void (streams.out.closed || streams.err.write(text));
  return new TextWriter(out, err, { streams: process.stdout.isTTY });
}

const noPrompt: Diagnostic = {
  code: "prompt-missing",
  level: "error",
  message: "There is nothing to send: no words, and no text on standard input",
  fix: 'For example: agent -p "what is in this folder?", or agent run PROFILE -m "…"',
};
