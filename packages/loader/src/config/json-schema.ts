import type { JsonSchema, PluginDefinition, StandardSchema } from "@quire/core";
import { isRecord } from "../record.js";

/**
 * The JSON Schema of a config file, for editors. Keys of plugins have the form that their options give them.
 * @param plugins Definitions of loaded plugins.
 * @param otherKeys Config keys of plugins that are not loaded: any value fits.
 */
export async function configJsonSchema(
  plugins: readonly PluginDefinition[],
  otherKeys: readonly string[] = [],
): Promise<JsonSchema> {
  const { toJSONSchema } = await import("zod");
  const { hostConfig } = await import("./schema.js");
  const { properties, ...rest } = toJSONSchema(hostConfig, { io: "input" });
  const options = plugins.map((plugin) => ({ plugin, schema: optionsSchema(plugin.options) }));
  const pluginKeys = options.flatMap(({ plugin, schema }) => {
    const forms = isRecord(schema["properties"]) ? schema["properties"] : {};
    return (plugin.configKeys ?? []).map((key) => [key, forms[key] ?? {}] as const);
  });
  const all = properties ?? {};
  return {
    ...rest,
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(otherKeys.map((key) => [key, {}])),
      ...Object.fromEntries(pluginKeys),
      ...all,
      plugins: {
        ...(all["plugins"] as object),
        properties: Object.fromEntries(options.map(({ plugin, schema }) => [plugin.name, entryOf(schema)])),
      },
    },
  };
}

function optionsSchema(schema: StandardSchema | undefined): JsonSchema {
  try {
    return schema?.["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? {};
  } catch {
    // Some schemas (with transforms, for example) have no JSON form: any options fit.
    return {};
  }
}

function entryOf(options: JsonSchema): JsonSchema {
  return {
    type: ["object", "null"],
    properties: { options, required: { type: "boolean" } },
    additionalProperties: false,
  };
}
