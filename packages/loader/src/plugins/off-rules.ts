import { basename, dirname, extname, resolve } from "node:path";
import type { Diagnostic, Origin } from "@quire/core";
import { nearest } from "@quire/core/host";
import type { Preset } from "../config/preset.js";
import type { YamlFile } from "../config/yaml-file.js";
import type { LoadFlags } from "../contract.js";
import type { PluginEntry, PluginSource } from "./plugin-source.js";

/** One wish that a plugin be off: from `disable:` in config, or from `--no-plugin`. */
export interface OffRule {
  /** As written: a name or a path. */
  readonly value: string;
  /** The folder that a path counts from. */
  readonly folder: string;
  readonly at: Origin;
}

/** Decides which plugins are off, as far as possible before they are imported. */
export class OffRules {
  readonly #rules: readonly OffRule[];
  readonly #used = new Set<OffRule>();
  readonly #allForeign: boolean;
  /** Names and files of what the command line switched off. */
  readonly #flagged = new Set<string>();

  constructor(rules: readonly OffRule[]) {
    this.#rules = rules.filter((rule) => !isAll(rule));
    this.#allForeign = rules.some(isAll);
  }

  /**
   * By a plugin's own name: all that a built-in one can be called, all that an imported one is called.
   * @param isTyped The command line names the plugin: what it says counts more than config.
   */
  hasName(name: string, isTyped: boolean, file?: string): boolean {
    return this.#use((rule) => rule.value === name, isTyped, [name, file]);
  }

  /** By what is known of a file without running it. */
  hasSource(source: PluginSource): boolean {
    const { file, label, packageName, tier } = source;
    const isTyped = tier === "flags";
    const stem = basename(file, extname(file));
    const names = [label, packageName, stem === "index" ? basename(dirname(file)) : stem];
    const means = (rule: OffRule): boolean =>
      names.includes(rule.value) || isAt(file, resolve(rule.folder, rule.value));
    const isOff = this.#use(means, isTyped, [label, packageName, file]);
    if (this.#allForeign && !isTyped) this.#note([label, packageName, file]);
    return isOff || (this.#allForeign && !isTyped);
  }

  /** Whether the command line switched off what a config entry means: that also beats `required`. */
  byFlag(entry: PluginEntry): boolean {
    const { key, path } = entry;
    return this.#flagged.has(key) || (path !== undefined && [...this.#flagged].some((file) => isAt(file, path)));
  }

  /** The rules that named nothing that is there. */
  unused(names: readonly string[], labels: readonly string[]): readonly Diagnostic[] {
    return this.#rules
      .filter((rule) => !this.#used.has(rule) && !names.includes(rule.value))
      .map((rule) => {
        const like = nearest(rule.value, [...names, ...labels]);
        return {
          code: "plugin-unknown",
          level: "warn",
          message: `There is no plugin "${rule.value}" to switch off`,
          at: rule.at,
          fix: like === undefined ? "`agent doctor` shows the names" : `Did you mean "${like}"?`,
        };
      });
  }

  #use(means: (rule: OffRule) => boolean, isTyped: boolean, aliases: readonly (string | undefined)[]): boolean {
    const found = this.#rules.filter(means);
    for (const rule of found) this.#used.add(rule);
    const isFlagged = found.some((rule) => rule.at.kind === "flag");
    if (isFlagged) this.#note(aliases);
    return isFlagged || (found.length > 0 && !isTyped);
  }

  #note(aliases: readonly (string | undefined)[]): void {
    for (const alias of aliases) if (alias !== undefined) this.#flagged.add(alias);
  }
}

/** `all` is a word of `--no-plugin`; in config it would be a plugin's name. */
function isAll(rule: OffRule): boolean {
  return rule.value === "all" && rule.at.kind === "flag";
}

function isAt(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/**
 * Collects what switches plugins off. In files the highest scope that says `disable` counts, for lists replace each
 * other; what the command line says is added.
 * @param files Config files that count, from low to high.
 */
export function offRules(
  preset: Preset | undefined,
  files: readonly YamlFile[],
  flags: LoadFlags,
  typedAt: string,
): readonly OffRule[] {
  const config = files.findLast(({ value }) => Array.isArray(value["disable"]));
  const byConfig = namesIn(config?.value["disable"]).map((value, index) => {
    const file = config?.file ?? "";
    const line = config?.lineOf(["disable", index]) ?? 1;
    return { value, folder: dirname(file), at: { kind: "config", file, line } as const };
  });
  const byPreset = namesIn(config === undefined ? preset?.data.config["disable"] : []).map((value) => {
    return { value, folder: "", at: { kind: "plugin", plugin: preset?.plugin ?? "" } as const };
  });
  const byFlag = [...namesIn(flags.config["disable"]), ...flags.noPlugins].map((value) => {
    return { value, folder: typedAt, at: { kind: "flag" } as const };
  });
  return [...byPreset, ...byConfig, ...byFlag];
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
