import { resolve } from "node:path";
import type { Attrs, Config, PluginDefinition } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { Host, Prompt, Session } from "@quire/core/host";
import type { Builtin } from "@quire/loader";
import { fakeProvider, type TestHost } from "@quire/testkit";
import { claudeCodePreset } from "../../plugins/preset-claude-code/preset.js";
import { tempHome, type TempHome } from "../../packages/loader/src/testing/temp-home.js";
import { builtinPlugins, openPreset, type PresetHostOptions } from "../support/preset-host.js";

/** The preset on a machine that is the same everywhere. */
export const claudeCode = claudeCodePreset(() => ({ name: "Linux", release: "6.6.4" }));

/** A host in memory under the preset, with a model the preset knows. */
export async function openClaudeCode(options: PresetHostOptions = {}): Promise<TestHost> {
  return await openPreset(claudeCode, {
    ...options,
    config: { model: "fake/claude-sonnet-4-5-20250929", ...options.config },
    environment: { SHELL: "/usr/bin/zsh", ...options.environment },
  });
}

export interface DiskHost {
  readonly machine: TempHome;
  readonly host: Host;
  readonly session: Session;
}

/**
 * The same through the loader, with files on the real disk. Paths of `files` are relative to the machine's root, whose
 * folders are `home`, `project` (a repository) and `system` (what stands for the file system's root).
 */
export async function openOnDisk(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: {
    /** The working folder, from the project. */
    readonly folder?: string;
    readonly config?: Config;
    /** Of variables beside PATH, given the machine's root. */
    readonly environment?: (root: string) => Attrs;
  } = {},
): Promise<DiskHost> {
  const machine = await tempHome(files);
  const provider = fakeProvider({ replies: () => "ok" });
  const plugins = [claudeCode, ...builtinPlugins, provider];
  const config = {
    preset: "claude-code",
    model: "fake",
    instruction_files: { system_root: `${machine.root}/system` },
    ...options.config,
  };
  await machine.write({ "home/.quire/config.yaml": JSON.stringify(config) });
  const cwd = resolve(machine.project, options.folder ?? "");
  const environment = { PATH: process.env["PATH"] ?? "", ...options.environment?.(machine.root) };
  const loaded = await machine.load({}, { cwd, environment, builtins: plugins.map(asBuiltin) });
  const host = await createHost(loaded.host);
  return { machine, host, session: await host.open({ cwd, persist: false }) };
}

function asBuiltin(plugin: PluginDefinition): Builtin {
  return { name: plugin.name, configKeys: plugin.configKeys ?? [], load: () => Promise.resolve(plugin) };
}

/** Names of the sections that have text in the prompt, in its order. */
export function namesInText(prompt: Prompt): readonly string[] {
  return [...new Set(prompt.pieces.flatMap(({ section }) => (section === undefined ? [] : [section])))];
}

/** The text of one section, its markup included. */
export function sectionText(prompt: Prompt, name: string): string {
  return prompt.pieces
    .filter(({ section }) => section === name)
    .map(({ text }) => text)
    .join("");
}
