import type { Diagnostic, JsonSchema } from "@quire/core";
import { nearest } from "@quire/core/host";
import type { Loaded } from "@quire/loader";
import { pluginOptions } from "./plugin-options.js";

/** Options in config that their plugin does not know: most plugins pass over what they do not know. */
export function unknownOptions(loaded: Loaded): readonly Diagnostic[] {
  return loaded.host.plugins.flatMap(({ name, plugin }) => {
    const known = knownOptions(plugin.options?.["~standard"].jsonSchema);
    if (known === undefined) return [];
    return Object.keys(pluginOptions(loaded, name, []))
      .filter((key) => !known.includes(key))
      .map((key): Diagnostic => {
        const at = loaded.config.origin(`plugins.${name}.options.${key}`);
        const near = nearest(key, known);
        return {
          code: "option-unknown",
          level: "warn",
          plugin: name,
          message: `Plugin "${name}" has no option "${key}"`,
          at: at ?? { kind: "config" },
          fix: near === undefined ? `Its options: ${known.join(", ")}` : `Did you mean "${near}"?`,
        };
      });
  });
}

/** Undefined when any option fits, or nobody can tell. */
function knownOptions(
  convert: { input(options: { readonly target: string }): JsonSchema } | undefined,
): readonly string[] | undefined {
  try {
    const schema = convert?.input({ target: "draft-2020-12" });
    const isOpen = typeof schema?.["additionalProperties"] === "object" || schema?.["additionalProperties"] === true;
    const properties = schema?.["properties"];
    return isOpen || typeof properties !== "object" || properties === null ? undefined : Object.keys(properties);
  } catch {
    // Some schemas have no JSON form.
    return undefined;
  }
}
