import type { PluginDefinition } from "@quire/core";
import type { Builtin } from "@quire/loader";

interface PluginModule {
  readonly default: PluginDefinition;
}

/**
 * The plugins that come with the command, in the order of their tier. Only what config leaves on is imported.
 * Providers stand in the order in which a key is looked for; the one that needs none is last.
 */
export const builtins: readonly Builtin[] = [
  builtin("base", [], () => import("@quire/plugin-base")),
  builtin("environment", [], () => import("@quire/plugin-environment")),
  builtin("agents-md", ["instruction_files"], () => import("@quire/plugin-agents-md")),
  builtin("skills", ["skills"], () => import("@quire/plugin-skills")),
  builtin("tools-files", [], () => import("@quire/plugin-tools-files")),
  builtin("tools-shell", [], () => import("@quire/plugin-tools-shell")),
  builtin("permissions", ["permissions"], () => import("@quire/plugin-permissions")),
  builtin("provider-anthropic", ["providers"], () => import("@quire/plugin-provider-anthropic")),
  builtin("provider-openai", ["providers"], () => import("@quire/plugin-provider-openai")),
  builtin("provider-rehearsal", [], () => import("@quire/plugin-provider-rehearsal")),
];

function builtin(name: string, configKeys: readonly string[], load: () => Promise<PluginModule>): Builtin {
  return { name, configKeys, load: async () => (await load()).default };
}
