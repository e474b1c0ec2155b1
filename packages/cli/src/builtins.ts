import type { PluginDefinition } from "@quire/core";
import type { Builtin } from "@quire/loader";

interface PluginModule {
  readonly default: PluginDefinition;
}

/**
 * The plugins that come with the command, in the order of their tier. Only what config leaves on is imported,
 * and of the presets only the chosen one.
 * Providers stand in the order in which a key is looked for; the one that needs none is last.
 */
export const builtins: readonly Builtin[] = [
  builtin("base", [], () => import("@quire/plugin-base")),
  builtin("environment", [], () => import("@quire/plugin-environment")),
  builtin("agents-md", ["instruction_files"], () => import("@quire/plugin-agents-md")),
  builtin("memory", ["memory"], () => import("@quire/plugin-memory")),
  builtin("skills", ["skills"], () => import("@quire/plugin-skills")),
  builtin("commands", ["commands"], () => import("@quire/plugin-commands")),
  builtin("tools-files", [], () => import("@quire/plugin-tools-files")),
  builtin("tools-shell", [], () => import("@quire/plugin-tools-shell")),
  builtin("compaction", ["compaction"], () => import("@quire/plugin-compaction")),
  builtin("fallback", ["fallback"], () => import("@quire/plugin-fallback")),
  builtin("permissions", ["permissions"], () => import("@quire/plugin-permissions")),
  builtin("provider-anthropic", ["providers", "network"], () => import("@quire/plugin-provider-anthropic")),
  builtin("provider-openai", ["providers", "network"], () => import("@quire/plugin-provider-openai")),
  builtin("provider-claude-cli", ["providers", "claude_cli"], () => import("@quire/plugin-provider-claude-cli")),
  builtin("provider-rehearsal", [], () => import("@quire/plugin-provider-rehearsal")),
  builtin("preset-magi-code", ["magi_code"], () => import("@quire/plugin-preset-magi-code")),
  builtin("preset-iota", ["iota"], () => import("@quire/plugin-preset-iota")),
  builtin("preset-pi", [], () => import("@quire/plugin-preset-pi")),
  builtin("preset-claude-code", ["claude_code"], () => import("@quire/plugin-preset-claude-code")),
  builtin("preset-coding-agent", [], () => import("@quire/plugin-preset-coding-agent")),
];

function builtin(name: string, configKeys: readonly string[], load: () => Promise<PluginModule>): Builtin {
  return { name, configKeys, load: async () => (await load()).default };
}
