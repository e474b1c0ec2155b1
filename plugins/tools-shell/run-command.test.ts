import { spawnSync } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { ToolContext } from "@quire/core";
import { groupLives } from "./process-group.js";
import type { BashArguments } from "./run-command.js";
import { createShell, runCommand } from "./run-command.js";
import { newFolder, toolContext } from "./tool-context.fixture.js";

const shell = createShell();
afterEach(() => shell.table.endAll(100));

async function bash(args: string | BashArguments, over: Partial<ToolContext> = {}): Promise<string> {
  const folder = await newFolder();
  const full = typeof args === "string" ? { command: args } : args;
  return runCommand(full, toolContext(folder, over), shell);
}

/** Whether a process runs; one that is dead and not yet collected does not. */
function runs(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the condition did not come true within 5 s");
}

test("gives standard output and error in the order they were written", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `echo o${index}; echo e${index} >&2`);
  const want = Array.from({ length: 20 }, (_, index) => `o${index}\ne${index}`).join("\n");
  expect(await bash(lines.join("\n"))).toBe(want);
});

test.for([
  { command: "exit 3", want: "Exit code 3" },
  { command: "echo out; false", want: "Exit code 1\nout" },
  { command: "true", want: "(no output)" },
  { command: "kill -SEGV $$", want: "Ended by signal SIGSEGV" },
  { command: "cat; echo end", want: "end" },
  { command: "echo a > /dev/stderr; echo b | tee /dev/stderr", want: "a\nb\nb" },
  { command: "echo $0; [[ -n $BASH_VERSION ]] && echo bash", want: "bash\nbash" },
  { command: "printf '\\033[31mred\\033[0m'", want: "\u001B[31mred\u001B[0m" },
])("$command", async ({ command, want }) => {
  expect(await bash(command)).toBe(want);
});

test("reports a mistake in the command like bash does", async () => {
  expect(await bash("echo one\nif then")).toMatch(/^Exit code 2\none\nbash: .*line 2: syntax error/);
});

test("runs in the working folder with the given environment and no other", async () => {
  const folder = await newFolder();
  const childEnv = (): Record<string, string> => ({ PATH: process.env["PATH"] ?? "", GREETING: "hello" });
  expect(await runCommand({ command: "pwd -P; echo $GREETING" }, toolContext(folder, { childEnv }), shell)).toBe(
    `${folder}\nhello`,
  );
  expect(await bash("env | cut -d= -f1 | sort | tr '\\n' ' '", { childEnv })).toBe("GREETING PATH PWD SHLVL _ ");
});

test("falls back to sh where there is no bash", async () => {
  const folder = await newFolder();
  await runCommand({ command: `ln -s "$(command -v sh)" sh` }, toolContext(folder), shell);
  const childEnv = (): Record<string, string> => ({ PATH: folder });
  expect(await bash("echo $0 $1; echo bad >&2; exit 4", { childEnv })).toBe("Exit code 4\nsh\nbad");
});

test("says when there is no shell, no folder, or no command that could run", async () => {
  const folder = await newFolder();
  await expect(bash("true", { childEnv: () => ({ PATH: folder }) })).rejects.toThrow(/bash nor sh/);
  await expect(bash("a\0b")).rejects.toThrow(/NUL/);
  await expect(bash(`: ${"x".repeat(200_000)}`)).rejects.toThrow(/too long/);
  await rm(folder, { recursive: true });
  await expect(runCommand({ command: "true" }, toolContext(folder), shell)).rejects.toThrow(/is gone/);
});

test("shows progress while the command runs, and no character in halves", async () => {
  const updates: string[] = [];
  const command = "printf 'a\\xe2\\x82'; sleep 0.4; printf '\\xac'; sleep 0.4; echo b";
  expect(await bash({ command }, { update: (text) => updates.push(text) })).toBe("a€b");
  expect(updates.join("")).toBe("a€b\n");
  expect(updates.length).toBeGreaterThan(1);
});

test("stops a command that runs out of time, with its output so far", async () => {
  const answer = await bash({ command: "echo begun; sleep 1000", timeout_ms: 1500 });
  expect(answer).toMatch(/^Timed out after 1500 ms; .*stopped\nbegun$/);
});

test("hears the last words of a command that is stopped", async () => {
  const command = "trap 'echo cleaned up; exit 1' TERM; echo begun; sleep 1000 & wait";
  const answer = await bash({ command, timeout_ms: 1500 });
  expect(answer).toMatch(/\nbegun\ncleaned up$/);
});

test("an abort ends children and grandchildren, also those that refuse the polite signal", async () => {
  const folder = await newFolder();
  const command = [
    "sleep 1000 & echo $! > pids",
    `bash -c 'trap "" TERM; sleep 1001 & echo $! >> pids; echo $$ >> pids; while :; do wait; done' & `,
    "wait",
  ].join("\n");
  const controller = new AbortController();
  const running = runCommand({ command }, toolContext(folder, { signal: controller.signal }), shell);
  const stopped = expect(running).rejects.toThrow(/command-aborted/);
  const pids = async (): Promise<readonly number[]> => {
    const text = await readFile(join(folder, "pids"), "utf8").catch(() => "");
    return text.trim().split("\n").map(Number);
  };
  await until(async () => (await pids()).length === 3);
  controller.abort(new Error("stopped"));
  await stopped;
  for (const pid of await pids()) await until(() => !runs(pid));
});

test("answers when the shell ends, though a child in the background holds its output", async () => {
  const started = Date.now();
  const answer = await bash("echo done; sleep 1000 &");
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(answer).toMatch(/^done\n\[Something this command started still runs/);
  expect(shell.table.ids).toHaveLength(1);
  await shell.table.endAll(500);
  expect(shell.table.ids).toHaveLength(0);
});

test("what a command leaves behind without holding its output is ended with the host too", async () => {
  const answer = await bash("sleep 1000 > /dev/null 2>&1 & echo $!");
  const pid = Number(answer);
  expect(runs(pid)).toBe(true);
  await shell.table.endAll(500);
  await until(() => !runs(pid));
});

test("keeps start and end of a long output, and all of it in a private file", async () => {
  const answer = await bash("for i in {1..20000}; do echo line $i; done");
  expect(answer.length).toBeLessThan(31_000);
  expect(answer).toMatch(/^line 1\nline 2\n/);
  expect(answer).toMatch(/\nline 19999\nline 20000$/);
  const [, lost, file = ""] = /\n\[(\d+) characters are left out here; .* in (.+)\]\nline/.exec(answer) ?? [];
  const whole = await readFile(file, "utf8");
  expect(whole.split("\n")).toHaveLength(20_001);
  expect(whole.length - Number(lost)).toBeGreaterThan(29_000);
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("starts a command in the background and writes down how it ended", async () => {
  const answer = await bash({ command: "echo one; sleep 0.3; echo two >&2; exit 7", background: true });
  const [, file = ""] = /how it ended: (.+)\n/.exec(answer) ?? [];
  expect(answer).toMatch(/^Started in the background as background-\d+, process \d+\n/);
  await until(async () => (await readFile(file, "utf8")).endsWith("]\n"));
  expect(await readFile(file, "utf8")).toBe("one\ntwo\n\n[Exit code 7]\n");
});

test("a command in the background goes on after the turn, stops by the named way, and keeps its time limit", async () => {
  const turn = new AbortController();
  const answer = await bash({ command: "sleep 1000", background: true }, { signal: turn.signal });
  turn.abort();
  const pid = Number(/process (\d+)/.exec(answer)?.[1]);
  expect(groupLives(pid)).toBe(true);
  await bash(/To stop it: (.+)$/.exec(answer)?.[1] ?? "false");
  await until(() => !groupLives(pid));
  const limited = await bash({ command: "sleep 1000", background: true, timeout_ms: 200 });
  const limitedPid = Number(/process (\d+)/.exec(limited)?.[1]);
  await until(() => !groupLives(limitedPid));
});

test("kills what runs when the process exits without the host being disposed", async () => {
  const before = process.listeners("exit");
  const own = createShell();
  const folder = await newFolder();
  const args = { command: "trap '' TERM; sleep 1000 & wait", background: true };
  const answer = await runCommand(args, toolContext(folder), own);
  const pid = Number(/process (\d+)/.exec(answer)?.[1]);
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) listener(0);
  await until(() => !groupLives(pid));
  await own.table.endAll(100);
  expect(process.listeners("exit")).toEqual(before);
});
