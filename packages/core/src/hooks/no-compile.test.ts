import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";

const program = `
  import { createHookBus } from ${JSON.stringify(join(import.meta.dirname, "hook-bus.ts"))};
  const reported = [];
  const bus = createHookBus((diagnostic) => reported.push(diagnostic.code), { within: (_, run) => run() });
  const hooks = bus.face("p");
  hooks.userInput.tap(() => { throw new Error("boom"); });
  hooks.userInput.tap(async ({ text }) => ({ text: text + "!" }));
  hooks.permissionCheck.tap(() => ({ level: "deny" }));
  hooks.permissionCheck.tap(() => ({ level: "allow" }));
  const context = { signal: new AbortController().signal, session: { id: "s" }, reasons: [] };
  let compiles = true;
  try { new Function("") } catch { compiles = false }
  Promise.all([bus.change("userInput", { text: "hi" }, context), bus.vote(context)])
    .then(([input, { verdict }]) => console.log(JSON.stringify({ compiles, input, verdict, reported })));
`;

test("hooks work in a process that forbids code from strings", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-hooks-"));
  try {
    const bundle = join(folder, "bundle.cjs");
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      platform: "node",
      format: "cjs",
      write: false,
    });
    await writeFile(bundle, outputFiles[0]?.contents ?? "");
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--disallow-code-generation-from-strings", bundle]);
    expect(JSON.parse(stdout)).toEqual({
      compiles: false,
      input: { text: "hi!" },
      verdict: { level: "deny" },
      reported: ["hook-failed"],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
