import type { PluginDefinition } from "./contracts/plugin.js";
import type { StandardSchema } from "./contracts/standard-schema.js";

/** Types a plugin's definition: `host.options` in `setup` follows the schema in `options`. */
export function definePlugin<S extends StandardSchema | undefined = undefined>(
  plugin: PluginDefinition<S>,
): PluginDefinition<S> {
  return plugin;
}
