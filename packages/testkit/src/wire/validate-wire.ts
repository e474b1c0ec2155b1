import { recordOf } from "../narrow.js";
import { anthropicBodyRules } from "./anthropic-body-rules.js";
import { anthropicMessageRules } from "./anthropic-message-rules.js";
import { anthropicToolRules } from "./anthropic-tool-rules.js";
import { openaiChatRules } from "./openai-chat-rules.js";
import { openaiCodexRules } from "./openai-codex-rules.js";
import { openaiResponsesRules } from "./openai-responses-rules.js";
import type { WireApi, WireRule } from "./wire-rule.js";

export interface WireRefusal {
  /** The rule's name. */
  readonly rule: string;
  /** What the vendor would say, in substance, with the place in the body. */
  readonly message: string;
}

const rulesByApi: Readonly<Record<WireApi, readonly WireRule[]>> = {
  "anthropic-messages": [...anthropicBodyRules, ...anthropicMessageRules, ...anthropicToolRules],
  "openai-chat": openaiChatRules,
  "openai-responses": openaiResponsesRules,
  "openai-codex": openaiCodexRules,
};

/**
 * Why a vendor would answer a request with 400: one finding for each of its documented rules that the body breaks, at
 * the first place it does. None: the vendor takes it, as far as its documents and its known answers say.
 * @param headers What is sent beside the body, names in lower case: some rules hang on `anthropic-version` and
 * `anthropic-beta`. Without a version the newest counts.
 */
export function validateWire(
  api: WireApi,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): readonly WireRefusal[] {
  // What travels is JSON: what it leaves out is not there.
  const view = { body: recordOf(JSON.parse(JSON.stringify(body) ?? "null")), headers };
  return rulesByApi[api].flatMap(({ name, check }) => {
    const message = check(view);
    return message === undefined ? [] : [{ rule: name, message }];
  });
}

/** Whether the rules of a wire mode are known. */
export function isWireApi(api: string): api is WireApi {
  return Object.hasOwn(rulesByApi, api);
}

/** The names of a mode's rules. */
export function wireRules(api: WireApi): readonly string[] {
  return rulesByApi[api].map(({ name }) => name);
}
