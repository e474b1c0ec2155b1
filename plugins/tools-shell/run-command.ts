import type { ToolContext } from "@quire/core";
import { ToolError } from "@quire/core";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { drain } from "./drain.js";
import { OutputCapture } from "./output-capture.js";
import type { NewFile } from "./output-file.js";
import { createOutputFolder, OutputFile } from "./output-file.js";
import type { Exit, ProcessGroup } from "./process-group.js";
import { endGroup, startGroup } from "./process-group.js";
import type { ProcessTable } from "./process-table.js";
import { createProcessTable } from "./process-table.js";
import { createProgress } from "./progress.js";

export interface BashArguments {
  readonly command: string;
  readonly timeout_ms?: number | undefined;
  readonly background?: boolean | undefined;
}

/** What all commands of one host share. */
export interface Shell {
  readonly table: ProcessTable;
  readonly newFile: NewFile;
}

export function createShell(): Shell {
  return { table: createProcessTable(), newFile: createOutputFolder() };
}

export const defaultTimeoutMs = 120_000;
/** Between the polite signal and the one that cannot be refused. */
export const graceMs = 2000;

type Ending = { readonly why: "exit"; readonly exit: Exit } | { readonly why: "timeout" } | { readonly why: "abort" };

/** Runs a command to its end, or starts it in the background. */
export async function runCommand(args: BashArguments, context: ToolContext, shell: Shell): Promise<string> {
  context.signal.throwIfAborted();
  await checkFolder(context.cwd);
  const group = await startGroup(args.command, { cwd: context.cwd, env: context.childEnv() });
  shell.table.add(group.id);
  return args.background === true ? inBackground(group, args, shell) : toItsEnd(group, args, context, shell);
}

async function toItsEnd(
  group: ProcessGroup,
  { timeout_ms: timeoutMs = defaultTimeoutMs }: BashArguments,
  context: ToolContext,
  shell: Shell,
): Promise<string> {
  const capture = new OutputCapture(shell.newFile);
  const progress = createProgress((text) => context.update(text));
  const onData = (chunk: Buffer): void => progress.push(capture.push(chunk));
  group.output.on("data", onData);
  const ending = await firstEnding(group, timeoutMs, context.signal);
  if (ending.why !== "exit") await endGroup(group.id, graceMs);
  const ended = await drain(group.output);
  group.output.off("data", onData);
  progress.end();
  shell.table.release(group.id);
  // Read on and throw away: whoever still writes there must not be stopped by a full or broken pipe.
  if (!ended) group.output.resume();
  const output = capture.finish();
  if (ending.why === "abort") throw aborted();
  const lines = [headline(ending, timeoutMs), output.replace(/\n$/, "")].filter((text) => text !== "");
  if (!ended) {
    lines.push(
      "[Something this command started still runs; what it prints from now on is lost. It ends with this session]",
    );
  }
  return lines.length === 0 ? "(no output)" : lines.join("\n");
}

function inBackground(group: ProcessGroup, args: BashArguments, shell: Shell): string {
  const file = new OutputFile(shell.newFile, "background");
  group.output.on("data", (chunk: Buffer) => file.write(chunk));
  void watch(group, file, args.timeout_ms, shell);
  const id = basename(file.path, ".log") || "background";
  return [
    `Started in the background as ${id}, process ${group.id}`,
    file.problem === undefined
      ? `Output so far and, as its last line, how it ended: ${file.path}`
      : `Its output is lost, because ${file.problem}`,
    `To stop it: kill -- -${group.id}`,
  ].join("\n");
}

async function watch(
  group: ProcessGroup,
  file: OutputFile,
  timeoutMs: number | undefined,
  shell: Shell,
): Promise<void> {
  const ending = await firstEnding(group, timeoutMs, null);
  if (ending.why !== "exit") await endGroup(group.id, graceMs);
  await drain(group.output);
  group.output.resume();
  shell.table.release(group.id);
  file.close(`\n[${headline(ending, timeoutMs ?? 0) || "Exit code 0"}]\n`);
}

/** `timeoutMs` undefined: as long as it likes. */
function firstEnding(group: ProcessGroup, timeoutMs: number | undefined, signal: AbortSignal | null): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(ending);
    };
    const onAbort = (): void => settle({ why: "abort" });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle({ why: "timeout" }), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    void group.exited.then((exit) => settle({ why: "exit", exit }));
  });
}

function headline(ending: Ending, timeoutMs: number): string {
  if (ending.why === "timeout") {
    return `Timed out after ${timeoutMs} ms; the command and all it had started were stopped`;
  }
  if (ending.why === "abort") return "Stopped";
  const { code, signal } = ending.exit;
  if (signal !== null) return `Ended by signal ${signal}`;
  return code === 0 ? "" : `Exit code ${code}`;
}

function aborted(): ToolError {
  return new ToolError({
    code: "command-aborted",
    level: "error",
    message: "The command and all it had started were stopped, because the turn was stopped",
  });
}

async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (found?.isDirectory() === true) return;
  throw new ToolError({
    code: "folder-missing",
    level: "error",
    message: `The working folder ${cwd} is gone`,
    fix: "Tell the user to start again in a folder that exists",
  });
}
