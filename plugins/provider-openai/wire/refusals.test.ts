import { expect, test } from "vitest";
import { isContextOverflow, isRoleRefused } from "./refusals.js";

test.for([
  "prompt is too long: 212000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
  "400 context_length_exceeded",
  "the request exceeds the available context size. try increasing the context size or enable context shift",
  "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
  "Trying to keep the first 6000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "Please reduce the length of the messages or completion.",
  "Input is too long for requested model.",
  "Invalid request: Your request exceeded model token limit: 131072",
  "`inputs` tokens + `max_new_tokens` must be <= 4097",
  "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
])("takes for an overflow: %s", (said) => {
  expect(isContextOverflow({ status: 400, said })).toBe(true);
  expect(isContextOverflow({ status: 429, said })).toBe(false);
});

test.for([
  { status: 400, said: "max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens" },
  { status: 400, said: "messages.0.content: field required" },
  { status: 400, said: "tool_choice is not supported by this model" },
  { status: 429, said: "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000" },
  { status: 401, said: "invalid x-api-key" },
])("takes for no overflow: $said", (refusal) => expect(isContextOverflow(refusal)).toBe(false));

test("takes a request that was too large in bytes for one", () => {
  expect(isContextOverflow({ status: 413, said: "Request exceeds the maximum size" })).toBe(true);
});

test.for([
  `messages: Unexpected role "system". The Messages API accepts a top-level system parameter`,
  "Invalid value: 'developer'. Supported values are: 'system', 'assistant', 'user', and 'tool'.",
  "Only user and assistant roles are supported!",
  "System message must be at the beginning.",
])("takes for a refused role: %s", (said) => {
  expect(isRoleRefused({ status: 400, said }, true)).toBe(true);
  expect(isRoleRefused({ status: 400, said }, false)).toBe(false);
  expect(isRoleRefused({ status: 500, said }, true)).toBe(false);
});

test("takes another complaint for no refused role", () => {
  expect(isRoleRefused({ status: 400, said: "max_tokens is too large" }, true)).toBe(false);
});
