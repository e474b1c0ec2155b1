import type { Config } from "@quire/core";
import { recordOf } from "../narrow.js";
import { claudeModel } from "./anthropic-model.js";
import { modelOf, objectsOf } from "./wire-rule.js";
import type { WireRule, WireView } from "./wire-rule.js";

/** The version of the API whose rules hold when a request names none: the one the vendor's SDK sends. */
const newestVersion = "2026-10-21";

function isNewVersion({ headers }: WireView): boolean {
  return (headers["anthropic-version"] ?? newestVersion) >= newestVersion;
}

/** What Anthropic Messages refuses at the head of a request. */
export const anthropicBodyRules: readonly WireRule[] = [
  {
    // API reference, "Create a Message": `model` and `max_tokens` are required.
    name: "model-required",
    check: ({ body }) => (typeof body["model"] === "string" ? undefined : "model: Field required"),
  },
  {
    name: "max-tokens-required",
    check: ({ body }) => (typeof body["max_tokens"] === "number" ? undefined : "max_tokens: Field required"),
  },
  {
    // Guide "Migrating to API version 2026-10-21", "Sampling parameters removed": refused even at their defaults.
    // Servers of other models behind the same API know no such version.
    name: "sampling-removed",
    check: (view) => {
      const sent = ["temperature", "top_p", "top_k"].find((name) => view.body[name] !== undefined);
      const isFree = !isNewVersion(view) || claudeModel(modelOf(view.body)).version === undefined;
      return sent === undefined || isFree ? undefined : `${sent}: Extra inputs are not permitted`;
    },
  },
  {
    // API reference: "There is a limit of 100,000 messages in a single request", and at least one.
    name: "message-count",
    check: ({ body }) => {
      const { length } = objectsOf(body["messages"]);
      if (length === 0) return "messages: at least one message is required";
      return length > 100_000 ? "messages: at most 100000 messages are allowed" : undefined;
    },
  },
  {
    // Guide "Prompt caching": up to 4 breakpoints.
    name: "cache-mark-count",
    check: ({ body }) => {
      const marks = countMarks(body["system"]) + countMarks(body["tools"]) + countMarks(body["messages"]);
      return marks <= 4 ? undefined : `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
    },
  },
  {
    // Guide "Prompt caching", "What cannot be cached": thinking blocks take no mark of their own.
    name: "cache-mark-on-thinking",
    check: ({ body }) =>
      blocksOf(body).some((block) => isThinking(block) && block["cache_control"] !== undefined)
        ? "cache_control may not be set on thinking blocks"
        : undefined,
  },
  {
    // The answer of the API, as for messages: "text content blocks must contain non-whitespace text".
    name: "system-text-blank",
    check: ({ body }) =>
      objectsOf(body["system"]).some((block) => String(block["text"]).trim() === "")
        ? "system: text content blocks must contain non-whitespace text"
        : undefined,
  },
  {
    // API reference, `stop_sequences`; the answer is "each stop sequence must contain non-whitespace".
    name: "stop-sequence-blank",
    check: ({ body }) =>
      Array.isArray(body["stop_sequences"]) && body["stop_sequences"].some((each) => String(each).trim() === "")
        ? "stop_sequences: each stop sequence must contain non-whitespace"
        : undefined,
  },
  {
    // Guide "Troubleshooting thinking": from 4.7 on manual thinking is refused, up to 4.5 adaptive thinking is.
    name: "thinking-type",
    check: ({ body }) => {
      const { version, isPreview } = claudeModel(modelOf(body));
      const { type } = recordOf(body["thinking"]);
      if (version === undefined || isPreview) return undefined;
      if (type === "enabled" && version >= 4.7) return '"thinking.type.enabled" is not supported for this model.';
      return type === "adaptive" && version < 4.6 ? "adaptive thinking is not supported on this model" : undefined;
    },
  },
  {
    // API reference, `budget_tokens`: "Must be ≥1024 and less than `max_tokens`".
    name: "thinking-budget",
    check: ({ body }) => {
      const { type, budget_tokens: budget } = recordOf(body["thinking"]);
      if (type !== "enabled") return undefined;
      if (typeof budget !== "number" || budget < 1024) {
        return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
      }
      return budget < Number(body["max_tokens"])
        ? undefined
        : "`max_tokens` must be greater than `thinking.budget_tokens`";
    },
  },
  {
    // Guide "Prefix checks on thinking blocks": the field belongs to a beta (anomalyco/opencode#48637).
    name: "thinking-block-binding",
    check: ({ body, headers }) =>
      recordOf(body["thinking"])["block_binding"] === undefined ||
      (headers["anthropic-beta"] ?? "").includes("thinking-binding-controls-2026-08-01")
        ? undefined
        : "thinking.block_binding: Extra inputs are not permitted",
  },
  {
    // Guide "Migrating to API version 2026-10-21", "Citations in user messages".
    name: "user-citations",
    check: (view) =>
      isNewVersion(view) &&
      objectsOf(view.body["messages"])
        .filter(({ role }) => role === "user")
        .flatMap(({ content }) => objectsOf(content))
        .some(({ citations }) => Array.isArray(citations) && citations.length > 0)
        ? "messages: citations are not permitted on text blocks in user messages"
        : undefined,
  },
];

function blocksOf(body: Config): readonly Config[] {
  return objectsOf(body["messages"]).flatMap(({ content }) => objectsOf(content));
}

export function isThinking(block: Config | undefined): boolean {
  return block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMarks(item), 0);
  const record = recordOf(value);
  if (Object.keys(record).length === 0) return 0;
  return (record["cache_control"] === undefined ? 0 : 1) + countMarks(record["content"]);
}
