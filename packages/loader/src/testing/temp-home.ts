import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { definePlugin, type PluginDefinition } from "@quire/core";
import { onTestFinished } from "vitest";
import type { Builtin, Loaded, LoadFlags, LoadOptions } from "../contract.js";
import { load } from "../load.js";

/** A user's home and a project on the real disk, gone when the test is over. */
export interface TempHome {
  readonly root: string;
  readonly home: string;
  readonly quireHome: string;
  /** A repository: it has a `.git` folder. */
  readonly project: string;
  /** Writes files; paths are relative to `root`, whose folders are `home` and `project`. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  load(flags?: Partial<LoadFlags>, options?: Partial<LoadOptions>): Promise<Loaded>;
}

export const noFlags: LoadFlags = {
  config: {},
  plugins: [],
  noPlugins: [],
  sections: [],
  noSections: [],
  appendSystemPrompts: [],
  trust: false,
};

export async function tempFolder(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "quire-loader-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

export async function tempHome(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TempHome> {
  const root = await tempFolder();
  const write: TempHome["write"] = async (wanted) => {
    for (const [path, content] of Object.entries(wanted)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
  };
  const home = join(root, "home");
  const project = join(root, "project");
  await mkdir(home);
  await mkdir(join(project, ".git"), { recursive: true });
  await write(files);
  return {
    root,
    home,
    project,
    write,
    quireHome: join(home, ".quire"),
    load: (flags = {}, options = {}) =>
      load({
        cwd: project,
        typedAt: project,
        home,
        environment: { PATH: process.env["PATH"] ?? "" },
        version: "0.1.0",
        builtins: [builtin("base"), builtin("permissions", ["permissions"])],
        flags: { ...noFlags, ...flags },
        ...options,
      }),
  };
}

/** A built-in plugin that does nothing. */
export function builtin(name: string, configKeys: readonly string[] = [], loaded: string[] = []): Builtin {
  return {
    name,
    configKeys,
    load: async (): Promise<PluginDefinition> => {
      loaded.push(name);
      return definePlugin({ name, apiVersion: 1, configKeys, setup: () => {} });
    },
  };
}
