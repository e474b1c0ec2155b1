import { posix } from "node:path";
import { definePlugin } from "@quire/core";
import type { Attrs, Config, PluginDefinition } from "@quire/core";
import { createHost, sha256 } from "@quire/core/host";
import type { Host, HostEdit, HostOptions, LoadedPlugin, Session } from "@quire/core/host";
import { parseFrontMatter } from "@quire/loader";
import { fakeProvider, fakeProviderPlugin } from "./fake-provider.js";
import type { FakeProvider } from "./fake-provider.js";
import { memoryFiles } from "./memory-files.js";
import { memoryLog } from "./memory-log.js";
import { testLayout } from "./test-layout.js";

export interface TestHostOptions {
  /** In config order. None is added but a fake provider and a layout, both last. */
  readonly plugins: readonly PluginDefinition[];
  /** As it would come from YAML. Without `model` the first provider that is ready is used. */
  readonly config?: Config;
  /** Texts by path, absolute or relative to the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly place?: Partial<TestPlace>;
  /** True by default: an error diagnostic fails the turn. */
  readonly strict?: boolean;
  readonly edits?: readonly HostEdit[];
  /** Answers "ok" to everything by default. */
  readonly provider?: FakeProvider;
  /** Environment variables; none by default. */
  readonly environment?: Attrs;
  /** Votes `allow` on every tool call, so that writing and running tools run. */
  readonly allowAll?: boolean;
  /** Answers questions; without it nobody is there. */
  ask?(question: string): Promise<string | null>;
  readonly now?: () => Date;
  /** Multiplies time limits of plugin code and waits between retries; 1 by default. */
  readonly timeScale?: number;
}

export interface TestPlace {
  /** `/project` by default. */
  readonly cwd: string;
  readonly projectRoot: string;
  /** `/home/test` by default. */
  readonly home: string;
  readonly quireHome: string;
  /** True by default. */
  readonly trusted: boolean;
  /** `linux (x64)` by default. */
  readonly platform: string;
  /** `bash` by default. */
  readonly shell: string;
}

/** A host in memory with one open session. */
export interface TestHost extends Host {
  readonly session: Session;
  /** The session's log, record by record. */
  readonly records: readonly Config[];
  /** Path as in `files`. */
  write(path: string, text: string): void;
  remove(path: string): void;
}

/** Local noon of 2 January 2026: `today` is that date in every time zone. */
export const testNow = new Date(2026, 0, 2, 12);

/**
 * A host for tests of plugins: files and session log in memory, a frozen clock, strict, a scripted provider, no network.
 * A plugin's own file is `/plugins/<name>/index.ts`: put beside it what `{ file: "./…" }` names.
 */
export async function createTestHost(options: TestHostOptions): Promise<TestHost> {
  const cwd = options.place?.cwd ?? "/project";
  const home = options.place?.home ?? "/home/test";
  const environment = options.environment ?? {};
  const files = memoryFiles([cwd, home]);
  const pathOf = (path: string): string => posix.resolve(cwd, path);
  for (const [path, text] of Object.entries(options.files ?? {})) files.write(pathOf(path), text);
  const log = memoryLog();
  const hostOptions: HostOptions = {
    plugins: allPlugins(options).map(loaded),
    config: options.config ?? {},
    edits: options.edits ?? [],
    files,
    log,
    place: (folder) => ({
      projectRoot: cwd,
      quireHome: `${home}/.quire`,
      trusted: true,
      platform: "linux (x64)",
      shell: "bash",
      ...options.place,
      cwd: folder,
      home,
      env: (name) => environment[name],
    }),
    environment: () => environment,
    frontMatter: parseFrontMatter,
    strict: options.strict ?? true,
    now: options.now ?? (() => testNow),
    ...(options.ask === undefined ? {} : { ask: (question) => options.ask?.(question) ?? Promise.resolve(null) }),
    ...(options.timeScale === undefined ? {} : { timeScale: options.timeScale }),
  };
  const host = await createHost(hostOptions);
  const session = await host.open({ cwd });
  const additions = {
    session,
    write: (path: string, text: string) => files.write(pathOf(path), text),
    remove: (path: string) => files.remove(pathOf(path)),
  };
  // The host's own getters have to stay getters, so it is added to, not copied.
  const records = { get: () => log.recordsOf(session.info.id), enumerable: true };
  return Object.defineProperty(Object.assign(host, additions), "records", records) as TestHost;
}

function allPlugins(options: TestHostOptions): readonly PluginDefinition[] {
  const { plugins, provider, allowAll = false } = options;
  const isThere = provider !== undefined || plugins.some(({ name }) => name === fakeProviderPlugin);
  const fake = provider ?? fakeProvider({ replies: () => "ok" });
  return [
    ...plugins,
    ...(isThere && provider === undefined ? [] : [fake]),
    ...(allowAll ? [allowPlugin] : []),
    layoutPlugin,
  ];
}

const allowPlugin = definePlugin({
  name: "test-allow",
  apiVersion: 1,
  setup: (host) => host.hooks.permissionCheck.tap(() => ({ level: "allow" })),
});

const layoutPlugin = definePlugin({
  name: "test-layout",
  apiVersion: 1,
  setup: (host) => host.layouts.register(testLayout),
});

function loaded(plugin: PluginDefinition): LoadedPlugin {
  return {
    name: plugin.name,
    version: "0.0.0",
    hash: sha256(`${plugin.name}\n${plugin.setup.toString()}`),
    tier: "installed",
    file: `/plugins/${plugin.name}/index.ts`,
    plugin,
  };
}
