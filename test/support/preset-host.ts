import type { PluginDefinition } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import agentsMd from "@quire/plugin-agents-md";
import base from "@quire/plugin-base";
import commands from "@quire/plugin-commands";
import environment from "@quire/plugin-environment";
import memory from "@quire/plugin-memory";
import permissions from "@quire/plugin-permissions";
import skills from "@quire/plugin-skills";
import toolsFiles from "@quire/plugin-tools-files";
import toolsShell from "@quire/plugin-tools-shell";
import { createTestHost, type TestHost, type TestHostOptions } from "@quire/testkit";
import { mergeConfig } from "../../packages/loader/src/config/merge.js";
import { presetScope } from "../../packages/loader/src/config/preset.js";
import { presetEdits } from "../../packages/loader/src/edits/config-edits.js";
import { fixturePlace } from "../presets/fixture.js";

export interface PresetHostOptions extends Partial<Omit<TestHostOptions, "plugins">> {
  /** Beside the built-in ones and the preset, which comes first. */
  readonly plugins?: readonly PluginDefinition[];
  /** The user's own text, as `instructions:` or `-s` brings it. */
  readonly instructions?: string;
  /** As `--append-system-prompt` brings it. */
  readonly append?: string;
  /** As `--system-prompt` brings it. */
  readonly systemPrompt?: string;
}

/** The plugins every start has, in the order of the command. */
export const builtinPlugins: readonly PluginDefinition[] = [
  base,
  environment,
  agentsMd,
  skills,
  memory,
  commands,
  toolsFiles,
  toolsShell,
  permissions,
];

/**
 * A host in memory under a preset: its config and edits count as they do in the loader, `config` is the user's scope
 * above them. The place is the fixture's unless `place` says otherwise.
 */
export async function openPreset(preset: PluginDefinition, options: PresetHostOptions = {}): Promise<TestHost> {
  if (preset.preset === undefined) throw new Error(`${preset.name} carries no preset`);
  const chosen = { plugin: preset.name, data: preset.preset };
  const { plugins = [], instructions, append, systemPrompt, ...host } = options;
  const config = mergeConfig(presetScope(chosen), options.config ?? {});
  const off = new Set(Array.isArray(config["disable"]) ? config["disable"] : []);
  const typed: readonly HostEdit[] = [
    ...(systemPrompt === undefined ? [] : [flagEdit("replace-group", "base", systemPrompt)]),
    ...(instructions === undefined
      ? []
      : [{ ...flagEdit("add", "user/instructions", instructions), slot: "instructions" }]),
    ...(append === undefined ? [] : [{ ...flagEdit("add", "user/append", append), slot: "end" }]),
  ];
  return await createTestHost({
    ...host,
    plugins: [preset, ...builtinPlugins, ...plugins].filter(({ name }) => !off.has(name)),
    config,
    edits: [...(await presetEdits(chosen)), ...(options.edits ?? []), ...typed],
    place: { ...fixturePlace, ...options.place },
  });
}

function flagEdit(op: "add" | "replace-group", section: string, content: string): HostEdit {
  return { layer: "flags", by: { kind: "flag" }, op, section, content };
}
