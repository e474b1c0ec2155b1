import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { agentBin, type Machine } from "../../support/agent.js";

/** One line of `--output-format stream-json`. */
export type OutputLine = { readonly type: string; readonly [key: string]: unknown };

/** The built command with its input open: many turns in one process. */
export interface Talk {
  /** Known once the first turn began. */
  session(): string;
  /** One turn to its end. @returns Its lines, `turn-end` last. */
  say(text: string): Promise<readonly OutputLine[]>;
  /** Begins a turn and waits for a line of it. */
  sayUntil(text: string, isMeant: (line: OutputLine) => boolean): Promise<OutputLine>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Ends the input. @returns The exit code. */
  end(): Promise<number | null>;
}

/** @param args Beside those that make it read and write JSON lines. */
export function startTalk(machine: Machine, args: readonly string[], env: Readonly<Record<string, string>>): Talk {
  const format = ["-p", "--output-format", "stream-json", "--input-format", "stream-json"];
  const child = spawn(process.execPath, [agentBin, ...format, ...args], {
    cwd: machine.project,
    env: { PATH: process.env["PATH"] ?? "", HOME: machine.home, QUIRE_HOME: machine.quireHome, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString("utf8")));
  const exit = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const lines: OutputLine[] = [];
  let heard = (): void => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line) as OutputLine);
    heard();
  });
  void exit.then(() => heard());
  /** The first line from `start` on that is meant. */
  const find = async (start: number, isMeant: (line: OutputLine) => boolean): Promise<OutputLine> => {
    for (;;) {
      const found = lines.slice(start).find(isMeant);
      if (found !== undefined) return found;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The command ended: ${errors}`);
      await new Promise<void>((resolve) => (heard = resolve));
    }
  };
  const write = (text: string) => void child.stdin.write(`${JSON.stringify({ type: "user", text })}\n`);
  return {
    session: () => String(lines.find(({ type }) => type === "turn-start")?.["session"]),
    async say(text) {
      const start = lines.length;
      write(text);
      const end = await find(start, ({ type }) => type === "turn-end" || type === "error");
      return lines.slice(start, lines.indexOf(end) + 1);
    },
    async sayUntil(text, isMeant) {
      const start = lines.length;
      write(text);
      return await find(start, isMeant);
    },
    async kill() {
      child.kill("SIGKILL");
      await exit;
    },
    async end() {
      child.stdin.end();
      return await exit;
    },
  };
}
