import type { ToolContext } from "@quire/core";
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A new folder with these files. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-shell-test-")));
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
    childEnv: () => ({ PATH: process.env["PATH"] ?? "" }),
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
