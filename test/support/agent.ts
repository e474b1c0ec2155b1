import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A user's machine in miniature: a home, a Quire home and a git repository, all in one temporary folder. */
export interface Machine {
  readonly root: string;
  readonly home: string;
  readonly quireHome: string;
  /** A git repository with one commit. */
  readonly project: string;
  write(file: string, text: string | Uint8Array): string;
  remove(): void;
}

/** @param files Of the project, by relative path; committed. */
export function createMachine(files: Readonly<Record<string, string>> = {}): Machine {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "quire-machine-")));
  const home = path.join(root, "home");
  const project = path.join(root, "project");
  const quireHome = path.join(home, ".quire");
  mkdirSync(quireHome, { recursive: true });
  mkdirSync(project, { recursive: true });
  const write = (file: string, text: string | Uint8Array): string => {
    const target = path.resolve(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  for (const [name, text] of Object.entries(files)) write(path.join("project", name), text);
  git(project, "init", "-q");
  git(project, "add", "-A");
  git(project, "commit", "-q", "--allow-empty", "-m", "first");
  return { root, home, quireHome, project, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
}

export interface AgentRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AgentOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; none means an empty one. */
  readonly input?: string;
}

export const agentBin = path.resolve(import.meta.dirname, "../../packages/cli/bin/agent.cjs");

/** Runs the built command to its end. */
export async function runAgent(
  machine: Machine,
  args: readonly string[],
  options: AgentOptions = {},
): Promise<AgentRun> {
  const running = startAgent(machine, args, options);
  const [code, stdout, stderr] = await Promise.all([running.exit, running.stdout, running.stderr]);
  return { code, stdout, stderr };
}

export interface RunningAgent {
  readonly process: ChildProcess;
  readonly exit: Promise<number | null>;
  readonly stdout: Promise<string>;
  readonly stderr: Promise<string>;
}

/** Starts the built command with the machine's home and nothing else of this environment but PATH. */
export function startAgent(machine: Machine, args: readonly string[], options: AgentOptions = {}): RunningAgent {
  const child = spawn(process.execPath, [agentBin, ...args], {
    cwd: options.cwd ?? machine.project,
    env: { ...baseEnv(machine), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(options.input ?? "");
  return {
    process: child,
    exit: new Promise((resolve) => void child.once("close", (code) => resolve(code))),
    stdout: gather(child.stdout),
    stderr: gather(child.stderr),
  };
}

/** No more of this environment than PATH; no port of this machine is asked for a model server. */
export function baseEnv(machine: Machine): Record<string, string> {
  const places = { HOME: machine.home, QUIRE_HOME: machine.quireHome };
  return { PATH: process.env["PATH"] ?? "", ...places, QUIRE_LOCAL_PORTS: "" };
}

async function gather(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** The environment that points a vendor's SDK at the scripted server. */
export function anthropicEnv(server: { readonly anthropicUrl: string }): Record<string, string> {
  return { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.anthropicUrl };
}

export function openaiEnv(server: { readonly openaiUrl: string }): Record<string, string> {
  return { OPENAI_API_KEY: "sk-test-key", OPENAI_BASE_URL: server.openaiUrl };
}
