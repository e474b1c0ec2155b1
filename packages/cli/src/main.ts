import { QuireError } from "@quire/core";
import type { Flags } from "./args/flags.js";
import { parseArguments, type Invocation } from "./args/parse-arguments.js";
import { watchEmptyLoop } from "./empty-loop.js";
import { exitCodeOf, internalFault, outputFault, type ExitCode } from "./exit-code.js";
import { guardOutput, leave } from "./foreign-output.js";
import type { Launch } from "./launch.js";
import { diagnosticLine } from "./output/diagnostic-sink.js";
import { openStreams, type Streams } from "./output/streams.js";
import { answer } from "./turn/answer.js";

/** The command, from its arguments to its exit. Called once, by the launcher. */
export function run(launch: Launch): void {
  guardOutput();
  const stopping = new AbortController();
  const streams = openStreams(() => stopping.abort());
  void (async () => {
    const ended = watchEmptyLoop(stopping, (line) => streams.err.write(`${line}\n`));
    const code = await guarded(streams, () => main(launch, process.argv.slice(2), streams, stopping));
    ended();
    await streams.out.flush();
    const { failure, closed } = streams.out;
    if (failure !== undefined) streams.err.write(`${diagnosticLine(outputFault(failure))}\n`);
    await streams.err.flush();
    // Idle connections and a plugin's forgotten timer must not keep the command alive.
    leave(exitCode(code, failure, closed));
  })();
}

/** A reader that has enough stops the work, which is no failure; an answer that could not be written is one. */
function exitCode(code: ExitCode, failure: Error | undefined, closed: boolean): ExitCode {
  if (failure !== undefined) return 1;
  return closed && code === 130 ? 0 : code;
}

async function main(
  launch: Launch,
  argv: readonly string[],
  streams: Streams,
  stopping: AbortController,
): Promise<ExitCode> {
  const invocation = parseArguments(argv);
  if (invocation.kind === "help") {
    (invocation.misused ? streams.err : streams.out).write(invocation.text);
    return invocation.misused ? 2 : 0;
  }
  if (invocation.kind === "version") {
    streams.out.write(`${launch.version}\n`);
    return 0;
  }
  if (invocation.kind === "command" && invocation.path !== "run") {
    return command(launch, invocation, streams, stopping);
  }
  const { words, flags } = invocation.kind === "command" ? asTurn(invocation) : invocation;
  if (isInteractive(flags)) {
    const { interact } = await import("./terminal/interact.js");
    return interact(launch, words, flags, streams);
  }
  stopOnSignals(stopping);
  return answer(launch, words, flags, streams, stopping.signal);
}

/** `agent run PROFILE -m TEXT` is one answer of that profile. */
function asTurn({ operands, options, flags }: Extract<Invocation, { readonly kind: "command" }>): {
  readonly words: readonly string[];
  readonly flags: Flags;
} {
  const { message, json } = options;
  return {
    words: message === undefined ? [] : [message],
    flags: {
      ...flags,
      print: true,
      profile: { name: operands[0] ?? "", audience: "main" },
      ...(json && { outputFormat: "json" }),
    },
  };
}

async function command(
  launch: Launch,
  invocation: Extract<Invocation, { readonly kind: "command" }>,
  streams: Streams,
  stopping: AbortController,
): Promise<ExitCode> {
  stopOnSignals(stopping);
  const { runCommand } = await import("./commands/run-command.js");
  return runCommand(launch, invocation, streams, stopping.signal);
}

function isInteractive(flags: Flags): boolean {
  const plain = !flags.print && flags.outputFormat === "text" && flags.inputFormat === "text";
  return plain && process.stdin.isTTY && process.stdout.isTTY;
}

/** The first signal ends the turn in order, the second one the program. */
function stopOnSignals(stopping: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) leave(130);
      stopping.abort();
    });
  }
}

/** Nothing thrown leaves the program as a stack trace, unless `QUIRE_DEBUG` asks for it. */
async function guarded(streams: Streams, work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const code = exitCodeOf(error);
    const diagnostic = QuireError.is(error) ? error.diagnostic : internalFault(error);
    streams.err.write(`${diagnosticLine(diagnostic)}\n`);
    if (process.env["QUIRE_DEBUG"]) {
      streams.err.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
    return code ?? 1;
  }
}
