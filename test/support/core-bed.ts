import type {
  Config,
  Diagnostic,
  Layout,
  Message,
  PluginDefinition,
  PluginHost,
  ToolResult,
  TurnEvent,
  TurnResult,
} from "@quire/core";
import { definePlugin } from "@quire/core";
import type { Host, HostOptions, LoadedPlugin, OpenOptions, Session } from "@quire/core/host";
import { createHost } from "@quire/core/host";
import { createMemoryFiles, type MemoryFiles } from "./memory-files.js";
import { createMemoryLog, type MemoryLog } from "./memory-log.js";
import { plainLayout } from "./plain-layout.js";
import { createScriptedProvider, type Reply, type ScriptedProvider } from "./scripted-provider.js";

export type BedOptions = Partial<Omit<HostOptions, "plugins" | "files" | "log">> & {
  readonly plugins?: readonly (PluginDefinition | LoadedPlugin)[];
  readonly files?: Readonly<Record<string, string>> | MemoryFiles;
  readonly log?: MemoryLog;
  readonly replies?: readonly Reply[];
  readonly provider?: ScriptedProvider;
  readonly layout?: Layout;
  readonly env?: Record<string, string>;
  readonly open?: Partial<OpenOptions>;
};

/** A host with one session, a scripted provider, and its files, log and diagnostics at hand. */
export interface Bed {
  readonly host: Host;
  readonly session: Session;
  readonly provider: ScriptedProvider;
  readonly files: MemoryFiles;
  readonly log: MemoryLog;
  /** Everything reported so far, repetitions included. */
  readonly diagnostics: readonly Diagnostic[];
  codes(): readonly string[];
  /** Runs one turn to its end. */
  send(text?: string, signal?: AbortSignal): Promise<TurnResult>;
}

/** @param options Without plugins the host has only the bed's own, which brings layout and provider. */
export async function openBed(options: BedOptions = {}): Promise<Bed> {
  const { plugins = [], files = {}, replies, layout = plainLayout, env = {}, open, ...more } = options;
  const provider = options.provider ?? createScriptedProvider(replies);
  const bed = definePlugin({
    name: "bed",
    apiVersion: 1,
    setup(host) {
      host.providers.register(provider);
      host.layouts.register(layout);
    },
  });
  const memoryFiles = isMemoryFiles(files) ? files : createMemoryFiles(files);
  const log = options.log ?? createMemoryLog();
  const diagnostics: Diagnostic[] = [];
  const host = await createHost({
    config: { layout: layout.name },
    place: (cwd) => ({
      cwd,
      projectRoot: cwd,
      home: "/home/ada",
      quireHome: "/home/ada/.quire",
      trusted: true,
      env: (name) => env[name],
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: (body) => ({ data: {}, body, bodyLine: 1 }),
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    ...more,
    plugins: [bed, ...plugins].map((plugin) => ("plugin" in plugin ? plugin : load(plugin))),
    files: memoryFiles,
    log,
  });
  const session = await host.open({ cwd: "/repo", ...open });
  return {
    host,
    session,
    provider,
    files: memoryFiles,
    log,
    diagnostics,
    codes: () => diagnostics.map(({ code }) => code),
    send: (text = "hello", signal = new AbortController().signal) => session.send(text, signal).result,
  };
}

function isMemoryFiles(files: Readonly<Record<string, string>> | MemoryFiles): files is MemoryFiles {
  return typeof files["read"] === "function";
}

export function load(plugin: PluginDefinition, more: Partial<LoadedPlugin> = {}): LoadedPlugin {
  return { name: plugin.name, version: "1.0.0", hash: plugin.name, tier: "installed", plugin, ...more };
}

export function plugin(name: string, setup: (host: PluginHost) => void): PluginDefinition {
  return definePlugin({ name, apiVersion: 1, setup });
}

/** Registers a memoized text. */
export function textSection(name: string, slot: string, text: string): (host: PluginHost) => void {
  return (host) => host.sections.register({ name, slot, cache: "memoized", compute: () => text });
}

export async function collect(turn: AsyncIterable<TurnEvent>): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

/** All tool results of a history, in order. */
export function resultsOf(messages: readonly Message[]): readonly ToolResult[] {
  return messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === "tool-result" ? [block] : [])),
  );
}

/** Text of a message or a tool result. */
export function textOf(holder: Pick<Message, "content"> | undefined): string {
  return (holder?.content ?? []).map((block) => ("text" in block ? block.text : "")).join("");
}

export const anyInput: Config = { type: "object" };
