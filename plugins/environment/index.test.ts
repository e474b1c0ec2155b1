import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Effect } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { LoadedPlugin, Session } from "@quire/core/host";
import environment from "./index.js";

/** A layout without markup, a provider that is never asked, and one tool of the given effect. */
function bare(effect: Effect) {
  return definePlugin({
    name: "bare",
    apiVersion: 1,
    setup(host) {
      host.layouts.register({
        name: "bare",
        slots: [{ slot: "environment" }],
        render: (section, p) => p.body(section),
      });
      host.providers.register({
        name: "silent",
        api: "none",
        caps: () => ({
          contextTokens: 100_000,
          outputTokens: 1000,
          images: false,
          contextRole: "user",
          cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
        }),
        project: () => ({ url: "", headers: {}, body: null }),
        async *stream() {
          yield { type: "end", stop: "end" };
        },
      });
      const input = { type: "object" };
      host.tools.register({ name: "bare/tool", description: "x", input, effect, execute: () => "" });
    },
  });
}

async function open(effect: Effect, now: () => Date = () => new Date(2026, 2, 4)): Promise<Session> {
  const host = await createHost({
    plugins: [environment, bare(effect)].map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: { model: "silent/one", layout: "bare" },
    files: {
      read: () => Promise.resolve(null),
      list: () => Promise.resolve(null),
      stamp: () => Promise.resolve("absent"),
    },
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (cwd) => ({
      cwd,
      projectRoot: "/repo",
      home: "/home/ada",
      quireHome: "/home/ada/.quire",
      trusted: true,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: (body) => ({ data: {}, body, bodyLine: 1 }),
    now,
  });
  return await host.open({ cwd: "/repo/src", persist: false });
}

test("IO-15 IO-16 IO-17 IO-18 gives project root, platform, shell and local date a line each", async () => {
  const { text } = await (await open("read")).prompt();
  expect(text).toBe(
    "working directory: /repo/src\nproject root: /repo\nplatform: linux (x64)\nshell: bash\ndate: 2026-03-04",
  );
});

test("has another date on another day of one session", async () => {
  let day = 4;
  const session = await open("read", () => new Date(2026, 2, day));
  expect((await session.prompt()).text).toContain("date: 2026-03-04");
  day = 5;
  expect((await session.prompt()).text).toContain("date: 2026-03-05");
});

test("tells of the host's own commands only when a tool can run commands", async () => {
  expect((await (await open("run")).prompt()).text).toContain("`agent config check`");
  const { leftOut } = await (await open("write")).prompt();
  expect(leftOut).toEqual([{ section: "environment/host", why: "condition" }]);
});
