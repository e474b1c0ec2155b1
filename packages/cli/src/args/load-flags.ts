import { resolve } from "node:path";
import type { Config } from "@quire/core";
import type { LoadFlags } from "@quire/loader";
import type { Flags } from "./flags.js";

/** The flags as the loader takes them: what has a config key becomes config. */
export function toLoadFlags(flags: Flags, builtinNames: readonly string[], typedAt: string): LoadFlags {
  const off = [
    ...(flags.contextFiles ? [] : ["agents-md"]),
    ...(flags.skills ? [] : ["skills"]),
    ...(flags.commands ? [] : ["commands"]),
  ].filter((name) => builtinNames.includes(name));
  return {
    ...(flags.config !== undefined && { configFile: flags.config }),
    config: configOf(flags, typedAt),
    plugins: flags.plugins,
    noPlugins: [...flags.noPlugins, ...off],
    sections: flags.sections,
    noSections: flags.noSections,
    ...(flags.systemPrompt !== undefined && { systemPrompt: flags.systemPrompt }),
    appendSystemPrompts: flags.appendSystemPrompts,
    ...(flags.instructions !== undefined && { instructions: flags.instructions }),
    ...(flags.profile !== undefined && { profile: flags.profile }),
    trust: flags.trust,
  };
}

function configOf(flags: Flags, typedAt: string): Config {
  return {
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.layout !== undefined && { layout: flags.layout }),
    ...(flags.preset !== undefined && { preset: flags.preset }),
    ...(flags.tools !== undefined && { tools: { only: flags.tools } }),
    ...(flags.permissionMode !== undefined && { permissions: { mode: flags.permissionMode } }),
    ...(flags.commandFiles.length > 0 && {
      commands: { given: flags.commandFiles.map((path) => resolve(typedAt, path)) },
    }),
  };
}
