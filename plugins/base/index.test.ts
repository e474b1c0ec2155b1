import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Config, Effect, ToolResult } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { LoadedPlugin } from "@quire/core/host";
import base from "./index.js";

interface Asked {
  /** Results of the model's calls, in order. */
  readonly results: readonly ToolResult[];
  /** What the votes on permission were about. */
  readonly votes: readonly (readonly [tool: string, effect: Effect])[];
}

/** A turn in which the model calls `use_tool` once for each of `calls`, beside a late tool `own/note`. */
async function turnWith(calls: readonly Config[], effect: Effect): Promise<Asked> {
  const votes: (readonly [string, Effect])[] = [];
  const own = definePlugin({
    name: "own",
    apiVersion: 1,
    setup(host) {
      let requests = 0;
      host.providers.register({
        name: "caller",
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
          const args = calls[requests];
          requests += 1;
          if (args !== undefined) {
            const id = `c${requests}`;
            yield { type: "block", block: { type: "tool-call", id, name: "use_tool", args } };
          }
          yield { type: "end", stop: args === undefined ? "end" : "tools" };
        },
      });
      const early = { input: { type: "object" }, effect: "read", execute: () => "early" } as const;
      host.tools.register({ ...early, name: "own/look", description: "Looks for notes." });
      host.tools.source({
        name: "late",
        list: () => [
          {
            name: "own/note",
            description: "Keeps notes.",
            input: { type: "object", required: ["line"] },
            effect,
            execute: (args) => `kept ${JSON.stringify(args)}`,
          },
        ],
      });
      host.hooks.permissionCheck.tap((request) => {
        votes.push([request.tool, request.effect]);
        return request.effect === "write" ? { level: "deny", reason: "not today" } : undefined;
      });
    },
  });
  const host = await createHost({
    plugins: [base, own].map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: { model: "caller/one" },
    files: {
      read: () => Promise.resolve(null),
      list: () => Promise.resolve(null),
      stamp: () => Promise.resolve("absent"),
    },
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (cwd) => ({
      cwd,
      projectRoot: cwd,
      home: "/home/ada",
      quireHome: "/home/ada/.quire",
      trusted: true,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: (body) => ({ data: {}, body, bodyLine: 1 }),
  });
  const session = await host.open({ cwd: "/repo", persist: false });
  await session.send("Note it.", new AbortController().signal).result;
  const blocks = session.messages.flatMap(({ content }) => content);
  return { results: blocks.filter((block) => block.type === "tool-result"), votes };
}

test("finds a late tool and calls it under its own name", async () => {
  const calls = [{ search: "notes" }, { name: "own/note", args: { line: "x" } }];
  const { results, votes } = await turnWith(calls, "read");
  const [found, kept] = results.map(({ content }) => content);
  expect(found).toMatchObject([{ text: expect.stringContaining("beyond the declared ones: 1, shown: 1.") }]);
  expect(JSON.stringify(found)).toContain("## own/note");
  expect(kept).toEqual([{ type: "text", text: 'kept {"line":"x"}' }]);
  expect(votes).toEqual([
    ["base/use_tool", "read"],
    ["base/use_tool", "read"],
    ["own/note", "read"],
  ]);
});

test("is no way around a permission: the called tool is judged by its own effect", async () => {
  const { results } = await turnWith([{ name: "note", args: { line: "x" } }], "write");
  expect(results).toMatchObject([{ isError: true, name: "use_tool" }]);
  expect(JSON.stringify(results[0]?.content)).toContain("not today");
});

test("hands on what the called tool says of its arguments", async () => {
  const { results } = await turnWith([{ name: "note", args: {} }], "read");
  expect(results).toMatchObject([{ isError: true }]);
  expect(JSON.stringify(results[0]?.content)).toContain("line: is required");
});
