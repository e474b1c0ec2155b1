import type { ToolContext } from "@quire/core";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder with these files, gone when the test is over. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }).catch(() => undefined));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** What a tool sees of a turn in `cwd`; files are the real ones. */
export function toolContext(cwd: string, over: Partial<ToolContext> = {}): ToolContext {
  return {
    cwd,
    projectRoot: cwd,
    home: cwd,
    quireHome: join(cwd, ".quire"),
    trusted: true,
    env: (name) => process.env[name],
    childEnv: () => ({}),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve(null),
    session: { id: "session-1", interactive: false, depth: 0 },
    model: { provider: "rehearsal", id: "tour" },
    turnId: "turn-1",
    request: 1,
    signal: new AbortController().signal,
    callId: "call-1",
    update: () => undefined,
    ask: () => Promise.resolve(null),
    ...over,
  };
}
