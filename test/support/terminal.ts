import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { agentBin, baseEnv, type Machine } from "./agent.js";

/**
 * Runs the command on a terminal of its own, made by util-linux's `script`, until the screen shows something.
 * @returns What the screen had shown by then.
 */
export async function onTerminal(
  machine: Machine,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  shows: RegExp,
): Promise<string> {
  const quoted = [process.execPath, agentBin, ...args].map((part) => `'${part}'`).join(" ");
  const running = spawn("script", ["-qefc", `exec ${quoted}`, "/dev/null"], {
    cwd: machine.project,
    env: { ...baseEnv(machine), TERM: "xterm", NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let screen = "";
  running.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const closed = new Promise((resolve) => running.once("close", resolve));
  try {
    for (let tries = 0; tries < 200; tries++) {
      if (shows.test(screen)) return screen;
      await sleep(50);
    }
    throw new Error(`the terminal never showed ${shows}:\n${screen}`);
  } finally {
    running.kill("SIGKILL");
    await closed;
  }
}
