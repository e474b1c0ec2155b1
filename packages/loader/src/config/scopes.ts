import type { Config } from "@quire/core";
import type { AgentProfile } from "../contract.js";
import { profileConfig } from "../profiles/profiles.js";
import { isRecord } from "../record.js";
import { defaultConfig } from "./known-keys.js";
import type { Scope } from "./loaded-config.js";
import { mergeConfig } from "./merge.js";
import { presetScope, type Preset } from "./preset.js";
import type { UsedConfig } from "./used-config.js";

/** All scopes of a start but the profile's, from low to high. */
export function scopesOf(preset: Preset | undefined, configs: readonly UsedConfig[], flags: Config): readonly Scope[] {
  const ofFiles = configs.map(({ layer, config }): Scope => {
    const scope = layer === "preset" ? "preset-files" : layer;
    return { scope, file: config.file, value: config.value, lines: config };
  });
  return [
    { scope: "defaults", value: defaultConfig },
    ...(preset === undefined ? [] : [{ scope: "preset", value: presetScope(preset), plugin: preset.plugin } as const]),
    ...ofFiles,
    { scope: "flags", value: flags },
  ];
}

/** The scopes with what the profile in force sets, which stands below the flags alone. */
export function withProfile(scopes: readonly Scope[], profile: AgentProfile | undefined): readonly Scope[] {
  if (profile === undefined) return scopes;
  const below = scopes.filter(({ scope }) => scope !== "flags");
  const { file } = profile;
  const value = profileConfig(profile, mergeScopes(below));
  const lines = { file, value, lineOf: () => 1 };
  return [...below, { scope: "profile", file, value, lines }, ...scopes.filter(({ scope }) => scope === "flags")];
}

export function mergeScopes(scopes: readonly Pick<Scope, "value">[]): Config {
  return scopes.reduce<Config>((merged, { value }) => mergeConfig(merged, value), {});
}

/** What the preset and its system's files say of plugins, by name: the lowest scope of their options. */
export function systemPlugins(scopes: readonly Scope[]): Config {
  const plugins = mergeScopes(scopes.filter(({ scope }) => scope === "preset" || scope === "preset-files"))["plugins"];
  return isRecord(plugins) ? plugins : {};
}
