import type { StreamEvent } from "@quire/core";
import { programEnvironment, loginVariable } from "./environment.js";
import { brokenFailure, endFailure, requestFailure, silenceFailure, startFailure } from "./failure.js";
import type { FailureContext } from "./failure.js";
import { launchOf } from "./launch.js";
import type { PrivateFolders } from "./private-folders.js";
import { startProgram } from "./program.js";
import type { Program } from "./program.js";
import type { ProgramWire } from "./project.js";
import { BrokenStream } from "./read-events.js";
import { NoAnswer, readOutput } from "./read-output.js";
import type { ProgramSettings } from "./settings.js";
import { restoreNames } from "./tool-names.js";

/** What a stream needs of its surroundings. */
export interface StreamPlace {
  readonly settings: ProgramSettings;
  readonly folders: PrivateFolders;
  readonly environment: () => NodeJS.ProcessEnv;
}

/** Milliseconds without a line after which the answer counts as dead; the program keeps the vendor's pings to itself. */
export const silenceLimitMs = 300_000;

/**
 * Starts the program for one request and streams its answer. However it ends, the program and all it started are gone
 * then, and so are the files.
 * @throws {ProviderError} When the program cannot be started, is not logged in, is refused, or breaks off.
 */
export async function* streamProgram(
  { body, renamed }: ProgramWire,
  { settings, folders, environment }: StreamPlace,
  signal: AbortSignal,
  limitMs = silenceLimitMs,
): AsyncGenerator<StreamEvent> {
  signal.throwIfAborted();
  const env = programEnvironment(environment(), settings.passEnv);
  const context: FailureContext = {
    provider: settings.name,
    command: settings.command,
    call: [settings.command, ...settings.args].join(" "),
    model: body.model,
    ...serverOf(env["ANTHROPIC_BASE_URL"]),
    secrets: [loginVariable, ...settings.passEnv].flatMap((name) => env[name] ?? []),
  };
  const folder = await folders.create();
  let program: Program | undefined;
  const stop = (): void => void program?.stop();
  try {
    const launch = launchOf(body, folder);
    await folders.fill(folder, launch.files);
    const args = [...settings.args, ...launch.args];
    program = await startProgram(settings.command, args, {
      env: { ...env, ...launch.env },
      input: launch.input,
    }).catch((error: unknown) => {
      throw startFailure(error, context);
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    yield* restoreNames(answerOf(program, context, signal, limitMs), renamed);
  } finally {
    signal.removeEventListener("abort", stop);
    await program?.stop();
    await folders.remove(folder);
  }
}

function serverOf(baseUrl = ""): { readonly server?: string } {
  return URL.canParse(baseUrl) ? { server: new URL(baseUrl).host } : {};
}

async function* answerOf(
  program: Program,
  context: FailureContext,
  signal: AbortSignal,
  limitMs: number,
): AsyncGenerator<StreamEvent> {
  const watch = watchLines(program, limitMs);
  try {
    yield* readOutput(watch.lines, context.provider);
  } catch (error) {
    signal.throwIfAborted();
    if (watch.isSilent()) throw silenceFailure(limitMs, context);
    if (error instanceof BrokenStream) throw brokenFailure(error, context);
    if (!(error instanceof NoAnswer)) throw error;
    if (error.complaint !== undefined) throw requestFailure(error.complaint, context);
    throw endFailure(await program.exited, program.stderr(), error.hasBegun, context);
  }
}

/** The program's lines; a program that is silent for too long is stopped. A slow consumer is no silence. */
function watchLines(program: Program, limitMs: number): { readonly lines: AsyncIterable<string>; isSilent(): boolean } {
  let isWaiting = true;
  let isSilent = false;
  async function* lines(): AsyncGenerator<string> {
    const timer = setTimeout(() => {
      if (!isWaiting) return;
      isSilent = true;
      void program.stop();
    }, limitMs);
    try {
      for await (const line of program.lines) {
        isWaiting = false;
        yield line;
        isWaiting = true;
        timer.refresh();
      }
    } finally {
      clearTimeout(timer);
    }
  }
  return { lines: lines(), isSilent: () => isSilent };
}
