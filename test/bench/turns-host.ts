import { stat } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin, type Attrs, type PluginDefinition } from "@quire/core";
import { createHost, type Host, type Session } from "@quire/core/host";
import { load } from "@quire/loader";
import { builtins } from "../../packages/cli/src/builtins.js";
import { openCrashNote } from "../../packages/cli/src/crash-note.js";

export { default as Anthropic } from "@anthropic-ai/sdk";
export { default as OpenAI } from "openai";

export interface Bench {
  readonly host: Host;
  readonly session: Session;
  /** @throws {Error} When it does not end well. */
  turn(text: string): Promise<void>;
  /** Of the session's log. */
  logBytes(): Promise<number>;
  /** The body of a request as its provider would send it. */
  wireBody(text: string): Promise<unknown>;
}

/** The host as the command builds it, with its real disk and its real log. */
export async function openBench(options: {
  readonly root: string;
  readonly environment: Attrs;
  readonly model: string;
  /** Memoized texts of about 1 KB, beside the sections of the plugins. */
  readonly sections?: number;
  /** Without the built-in plugins' sections. */
  readonly isBare?: boolean;
}): Promise<Bench> {
  const { root, environment, model, sections = 0, isBare = false } = options;
  const cwd = join(root, "project");
  const loaded = await load({
    cwd,
    typedAt: cwd,
    home: join(root, "home"),
    environment,
    version: "0.0.0",
    builtins,
    flags: {
      config: { model, ...(isBare && { disable: ["environment", "agents-md", "skills", "memory", "permissions"] }) },
      plugins: [],
      noPlugins: [],
      sections: [],
      noSections: [],
      appendSystemPrompts: [],
      trust: false,
    },
  });
  const many = {
    name: "many",
    version: "0.0.0",
    hash: "many",
    tier: "builtin",
    plugin: manySections(sections),
  } as const;
  const note = openCrashNote(join(root, "home/.quire/cache"), process.pid);
  const host = await createHost({
    ...loaded.host,
    plugins: [...loaded.host.plugins, many],
    entering: note.entering,
  });
  const session = await host.open({ cwd });
  return {
    host,
    session,
    async turn(text) {
      const { stop, error } = await session.send(text, new AbortController().signal).result;
      if (stop !== "end") throw new Error(`The turn ended with ${stop}: ${error?.message ?? "no reason"}`);
    },
    logBytes: async () => (await stat(join(root, "home/.quire/sessions", `${session.info.id}.jsonl`))).size,
    async wireBody(text) {
      const { request } = await session.prompt({ message: text });
      const provider = host.providers.find(({ name }) => name === request.model.provider);
      if (provider === undefined) throw new Error(`No provider ${request.model.provider}`);
      return provider.project(request).body;
    },
  };
}

/** Sections of about 1 KB each. */
function manySections(count: number): PluginDefinition {
  const text = (index: number) => `Rule ${index}: ${"do what is right and say what was done. ".repeat(25)}`;
  return definePlugin({
    name: "many",
    apiVersion: 1,
    setup(host) {
      for (let index = 0; index < count; index++) {
        host.sections.register({
          name: `many/part-${index}`,
          slot: "session",
          cache: "memoized",
          compute: () => text(index),
        });
      }
    },
  });
}
