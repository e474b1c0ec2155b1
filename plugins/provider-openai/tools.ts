import type { ProviderRequest } from "@quire/core";
import { schemaDialect } from "./wire/tool-schema.js";
import { wireTools } from "./wire/wire-tools.js";
import type { WireTools } from "./wire/wire-tools.js";

/** Both APIs: "a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64". */
const nameRule = { forbidden: /[^A-Za-z0-9_-]/g, maxLength: 64 };

/**
 * The vendor compiles patterns with another engine than the schema's author: it knows neither lookaround nor named
 * groups nor `\p{…}`. A pattern it cannot read is left out; the host checks calls against the whole schema.
 */
const dialect = schemaDialect({
  takesPattern: (pattern) => !/\\[pPk]|\\u\{|\(\?<?[=!]|\(\?<[A-Za-z]/.test(pattern),
});

/** The tools of a request as the vendor takes them; none for a model that may be given none. */
export function openaiTools(tools: ProviderRequest["tools"], isAble: boolean): WireTools {
  return wireTools(isAble ? tools : [], nameRule, dialect);
}
