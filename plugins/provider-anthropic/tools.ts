import type { ProviderRequest } from "@quire/core";
import { schemaDialect } from "./wire/tool-schema.js";
import { wireTools } from "./wire/wire-tools.js";
import type { WireTools } from "./wire/wire-tools.js";

/** Guide "Define tools"; the API takes longer names today, servers that imitate it may not. */
const nameRule = { forbidden: /[^A-Za-z0-9_-]/g, maxLength: 64 };

/** The vendor's answer to other argument names: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'". */
const keyRule = { forbidden: /[^A-Za-z0-9_.-]/g, maxLength: 64 };

const dialect = schemaDialect({ keyRule, takesPattern: () => true });

const known = new WeakMap<ProviderRequest["tools"], WireTools>();

/** The tools of a request as the vendor takes them. A session's requests share one list, worked out once. */
export function anthropicTools(tools: ProviderRequest["tools"]): WireTools {
  const earlier = known.get(tools);
  if (earlier !== undefined) return earlier;
  const made = wireTools(tools, nameRule, dialect);
  // What may still change is worked out each time.
  if (Object.isFrozen(tools)) known.set(tools, made);
  return made;
}
