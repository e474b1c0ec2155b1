import type { Attrs, Config, JsonSchema, ProviderRequest, ToolCall } from "@quire/core";
import { safeName, uniqueNames } from "./safe-names.js";
import type { NameRule } from "./safe-names.js";
import { withKeys } from "./renamed-tools.js";
import type { RenamedTools } from "./renamed-tools.js";
import type { SchemaDialect } from "./tool-schema.js";

/** The declared tools under names and in schemas that the vendor takes. */
export interface WireTools {
  readonly list: readonly { readonly name: string; readonly description: string; readonly schema: JsonSchema }[];
  /** Undefined when every name went through as it is. */
  readonly renamed: RenamedTools | undefined;
  /** A call of the history, of a tool that may not be declared any more, in the wire's words. */
  callOf(call: ToolCall): { readonly name: string; readonly args: Config };
}

/** Works out the declared tools of one request. Equal lists give equal names. */
export function wireTools(tools: ProviderRequest["tools"], nameRule: NameRule, dialect: SchemaDialect): WireTools {
  const uniqueName = uniqueNames(nameRule);
  const renamed: Record<string, { name: string; keys: Attrs }> = {};
  const byName = new Map<string, { readonly name: string; readonly keys: Attrs }>();
  const list = tools.map((tool) => {
    const name = uniqueName(tool.name);
    const { schema, keys } = dialect(tool.input);
    byName.set(tool.name, { name, keys });
    if (name !== tool.name || Object.keys(keys).length > 0) renamed[name] = { name: tool.name, keys: inverted(keys) };
    return { name, description: tool.description, schema };
  });
  return {
    list,
    renamed: Object.keys(renamed).length === 0 ? undefined : renamed,
    callOf({ name, args }) {
      const tool = byName.get(name);
      if (tool === undefined) return { name: safeName(name, nameRule), args };
      return { name: tool.name, args: Object.keys(tool.keys).length === 0 ? args : withKeys(args, tool.keys) };
    },
  };
}

function inverted(keys: Attrs): Attrs {
  return Object.fromEntries(Object.entries(keys).map(([key, name]) => [name, key]));
}
