import { api } from "./options.js";
import type { ClaudeCliOptions, ProgramOptions } from "./options.js";

/** One program, and the provider it serves. */
export interface ProgramSettings {
  /** The part before the slash in `--model`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly passEnv: readonly string[];
  readonly models: readonly string[];
  /** Whether config speaks of it: only then a start that names no model may choose it. */
  readonly isConfigured: boolean;
}

/** The program's own words for the newest model of each kind. */
const aliases = ["sonnet", "opus", "haiku"];

/** `claude-cli`, which needs no config, and what config adds. */
export function programSettings({ providers, claude_cli }: ClaudeCliOptions): ProgramSettings[] {
  const own = providers[api] ?? claude_cli;
  const others = Object.entries(providers).filter(([name]) => name !== api);
  return [settingsOf(api, own), ...others.map(([name, options]) => settingsOf(name, options))];
}

function settingsOf(name: string, options: ProgramOptions | undefined): ProgramSettings {
  const { command = "claude", args = [], pass_env: passEnv = [], models = [] } = options ?? {};
  return {
    name,
    command,
    args,
    passEnv,
    models: models.length > 0 ? models : aliases,
    isConfigured: options !== undefined,
  };
}
