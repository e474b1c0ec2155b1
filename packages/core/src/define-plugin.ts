import type { PluginDefinition, StandardSchema } from "./index.js";

/** Types a plugin's definition: `host.options` in `setup` follows the schema in `options`. */
export function definePlugin<S extends StandardSchema | undefined = undefined>(
  plugin: PluginDefinition<S>,
): PluginDefinition<S> {
  return plugin;
}
