import { openaiResponsesRules } from "./openai-responses-rules.js";
import { objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

/** What Codex Responses refuses: all that Responses does, and more. */
export const openaiCodexRules: readonly WireRule[] = [
  {
    // tinyhumansai/openhuman#3201: "Store must be set to false", also when it is left out.
    name: "store",
    check: ({ body }) => (body["store"] === false ? undefined : "Store must be set to false"),
  },
  {
    // The answer of the backend: "Stream must be set to true".
    name: "stream",
    check: ({ body }) => (body["stream"] === true ? undefined : "Stream must be set to true"),
  },
  {
    // diegosouzapw/OmniRoute#746: "Instructions are required".
    name: "instructions-required",
    check: ({ body }) => (typeof body["instructions"] === "string" ? undefined : "Instructions are required"),
  },
  {
    // The answer of the backend: "Input must be a list".
    name: "input-list",
    check: ({ body }) => (Array.isArray(body["input"]) ? undefined : "Input must be a list"),
  },
  {
    // router-for-me/CLIProxyAPI#1121: "System messages are not allowed".
    name: "system-message",
    check: ({ body }) =>
      objectsOf(body["input"]).some(({ role }) => role === "system") ? "System messages are not allowed" : undefined,
  },
  {
    // kortix-ai/suna#5124: "Unsupported parameter: max_output_tokens"; the same of what else steers the answer.
    name: "unsupported-parameter",
    check: ({ body }) => {
      const refused = ["max_output_tokens", "temperature", "top_p", "truncation", "user", "metadata"];
      const sent = [...refused, "previous_response_id", "safety_identifier"].find((name) => body[name] !== undefined);
      return sent === undefined ? undefined : `Unsupported parameter: ${sent}`;
    },
  },
  ...openaiResponsesRules,
];
