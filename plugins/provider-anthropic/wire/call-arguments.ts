import type { Config } from "@quire/core";

/**
 * The arguments of a call as the vendor sent them. What is no JSON object comes as `{ "$invalid": <the raw text> }`,
 * which the host answers with an error result.
 */
export function parseArguments(text: string): Config {
  if (text.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(text);
    if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Config;
  } catch {
    // Falls through: the raw text is what the host shows the model.
  }
  return { $invalid: text };
}
