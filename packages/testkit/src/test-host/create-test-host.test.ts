import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { PluginDefinition } from "@quire/core";
import { createTestHost } from "./create-test-host.js";
import type { TestHostOptions } from "./create-test-host.js";
import { fakeProvider } from "./fake-provider.js";

const signal = AbortSignal.timeout(20_000);

/** Shows a note of the project, the date and a variable, and has a tool that writes. */
const notes = definePlugin({
  name: "notes",
  apiVersion: 1,
  setup(host) {
    host.sections.register({
      name: "notes/file",
      slot: "project",
      cache: "memoized",
      compute: async (context) => {
        const text = await context.read(`${context.cwd}/NOTE.md`);
        const names = await context.list(context.cwd);
        return text === null ? null : `${host.frontMatter(text).body.trim()} ${context.today} ${String(names)}`;
      },
    });
    host.tools.register({
      name: "notes/keep",
      description: "Keeps a line.",
      effect: "write",
      input: { type: "object", properties: { line: { type: "string" } } },
      execute: (args) => `kept ${JSON.stringify(args)}`,
    });
  },
});

async function open(options: Partial<TestHostOptions> & { readonly plugins?: readonly PluginDefinition[] }) {
  return await createTestHost({ plugins: [notes], ...options });
}

test("reads files in memory under a frozen clock, and sees a changed file", async () => {
  const host = await open({ files: { "NOTE.md": "---\na: 1\n---\nHello.\n", "src/a.ts": "x" } });
  expect((await host.session.prompt()).text).toBe(
    '<section name="notes/file">\nHello. 2026-01-02 NOTE.md,src/\n</section>',
  );
  host.write("NOTE.md", "Changed.");
  expect((await host.session.prompt()).text).toContain("Changed. 2026-01-02");
  host.remove("NOTE.md");
  expect((await host.session.prompt()).text).toBe("");
  await host.dispose();
});

test("plays replies, runs tools it may run, and keeps the log", async () => {
  const provider = fakeProvider({
    replies: [
      { thinking: "hm", toolCalls: [{ name: "keep", args: { line: "x" } }] },
      ({ messages }) => `The tool said: ${JSON.stringify(messages.at(-1)?.content)}`,
    ],
  });
  const host = await open({ provider, allowAll: true });
  const { text, stop } = await host.session.send("go", signal).result;
  expect(stop).toBe("end");
  expect(text).toContain(String.raw`kept {\"line\":\"x\"}`);
  expect(provider.requests).toHaveLength(2);
  expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(["keep"]);
  expect(host.records.map(({ type }) => type)).toContain("message");
  const resumed = await host.open({ cwd: "/project", resume: host.session.info.id });
  expect(resumed.messages.map(({ role }) => role)).toEqual(host.session.messages.map(({ role }) => role));
});

test("refuses a writing tool without a vote", async () => {
  const provider = fakeProvider({ replies: [{ toolCalls: [{ name: "keep", args: {} }] }, "done"] });
  const host = await open({ plugins: [notes, provider] });
  await host.session.send("go", signal).result;
  expect(provider.requests[1]?.messages.at(-1)?.content).toMatchObject([{ type: "tool-result", isError: true }]);
});

test("retries what a script lets fail, and reports what it does not", async () => {
  const status = (code: number) => ({ fault: { kind: "status", status: code, retryAfter: 0 } }) as const;
  const cut = { text: "half", fault: { kind: "reset", afterEvents: 1 } } as const;
  const provider = fakeProvider({ replies: [status(429), cut, "whole"] });
  const host = await open({ provider, timeScale: 0.001 });
  expect((await host.session.send("go", signal).result).text).toBe("whole");
  const beyond = await host.session.send("again", signal).result;
  expect(beyond).toMatchObject({ stop: "error", error: { code: "provider-refused" } });
});

test("stalls until the turn is stopped", async () => {
  const provider = fakeProvider({ replies: [{ text: "hello", chunk: 1, fault: { kind: "stall", afterEvents: 2 } }] });
  const host = await open({ provider });
  const controller = new AbortController();
  const turn = host.session.send("go", controller.signal);
  for await (const event of turn) if (event.type === "text" && event.delta === "e") controller.abort();
  expect(await turn.result).toMatchObject({ stop: "aborted" });
});

test("is strict unless told otherwise", async () => {
  const broken = definePlugin({
    name: "broken",
    apiVersion: 1,
    setup() {
      throw new Error("no");
    },
  });
  const strict = await open({ plugins: [broken] });
  expect(await strict.session.send("go", signal).result).toMatchObject({ stop: "error" });
  const lenient = await open({ plugins: [broken], strict: false });
  expect(await lenient.session.send("go", signal).result).toMatchObject({ stop: "end", text: "ok" });
  expect(lenient.diagnostics.map(({ plugin }) => plugin)).toContain("broken");
});

test("finds what a plugin names beside its own file, and shows a place of the test's choice", async () => {
  const plugin = definePlugin({
    name: "@acme/focus",
    apiVersion: 1,
    setup(host) {
      host.sections.replace("notes/file", { file: "./note.md" });
      host.sections.register({
        name: "@acme/focus/place",
        slot: "end",
        cache: "memoized",
        compute: ({ cwd, home, shell, env }) => [cwd, home, shell, env("COLOR")].join(" "),
      });
    },
  });
  const host = await open({
    plugins: [notes, plugin],
    files: { "/plugins/@acme/focus/note.md": "From a file." },
    place: { cwd: "/repo", shell: "zsh" },
    environment: { COLOR: "blue" },
  });
  const { text } = await host.session.prompt();
  expect(text).toContain("From a file.");
  expect(text).toContain("/repo /home/test zsh blue");
});
