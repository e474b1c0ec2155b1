import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContextItem, Diagnostic, Message } from "@quire/core";
import { anthropicEnv, openaiEnv } from "../support/agent.js";
import { bodiesOf, scoreLog } from "./support/cache-score.js";
import { editedRule, playSession, type PlayedSession, type Vendor } from "./support/thirty-turns.js";

const vendors: readonly (Vendor & { prefixOf(body: Readonly<Record<string, unknown>>): unknown })[] = [
  {
    name: "anthropic",
    args: ["--model", "anthropic/claude-sonnet-4-5"],
    env: anthropicEnv,
    prefixOf: ({ system, tools }) => [system, tools],
  },
  {
    name: "openai-chat",
    args: ["--model", "openai-chat/gpt-5"],
    env: openaiEnv,
    prefixOf: ({ messages, tools }) => [(messages as readonly unknown[])[0], tools],
  },
];

function textOf(message: Message | undefined): string {
  return (message?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe.for(vendors)("thirty turns through $name", (vendor) => {
  let played: PlayedSession;
  beforeAll(async () => {
    played = await playSession({ vendor });
  }, 120_000);
  afterAll(() => played.remove());

  const notes = (): readonly Message[] =>
    played.records
      .filter(({ type }) => type === "message")
      .map(({ message }) => message as Message)
      .filter(({ role }) => role === "context");
  const itemsOf = (section: string): readonly ContextItem[] =>
    notes().flatMap(({ context = [] }) => context.filter((item) => item.section === section));

  test("nothing that was sent before is paid for again", () => {
    const report = scoreLog(played.log);
    expect(report.totals.requests).toBeGreaterThan(60);
    expect(report.totals.busts).toBe(0);
    expect(report.score).toBeGreaterThanOrEqual(0.99);
  });

  test("system text and tools have the same bytes in every request, before the crash and after it", () => {
    const prefixes = bodiesOf(played.log).map((body) => JSON.stringify(vendor.prefixOf(body)));
    expect(new Set(prefixes).size).toBe(1);
    expect(Buffer.byteLength(prefixes[0] ?? "")).toBeGreaterThan(8_000);
    expect(prefixes[0]).not.toContain("weather/now");
  });

  test("each change is told in exactly one context message", () => {
    expect(itemsOf("base/late-tools").map(({ op }) => op)).toEqual(["add"]);
    expect(itemsOf("agents-md/files").map(({ op }) => op)).toEqual(["edit"]);
    expect(itemsOf("skills/catalog").map(({ op }) => op)).toEqual(["add"]);
    expect(itemsOf("permissions/policy").map(({ op }) => op)).toEqual(["add", "replace"]);
    expect(itemsOf("weather/mood")).toHaveLength(30);
    const last = JSON.stringify(bodiesOf(played.log).at(-1));
    for (const once of [
      editedRule,
      "weather/tomorrow: Says",
      "Makes a release of the project",
      "Permission mode: edit",
    ])
      expect(last.split(once)).toHaveLength(2);
  });

  test("one edited line of a 3 KB file costs at most 600 bytes", () => {
    const text = textOf(notes().find(({ context = [] }) => context.some(({ op }) => op === "edit")));
    const update = /<context_update about="agents-md\/files"[\s\S]*?<\/context_update>/.exec(text)?.[0] ?? "";
    expect(update).toContain(editedRule);
    expect(Buffer.byteLength(update)).toBeLessThanOrEqual(600);
    // With what else changed that turn, still a message and not a file.
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700);
  });

  test("tools ran before and after the crash, the late ones through the gateway", () => {
    const last = JSON.stringify(bodiesOf(played.log).at(-1));
    expect(last).toContain("now for City 14: mild");
    expect(last).toContain("now for City 28: mild");
    expect(last.match(/now for City/g)).toHaveLength(11);
  });

  test("the guard found nothing to say", () => {
    const found = played.lines
      .filter(({ type }) => type === "diagnostic")
      .map(({ diagnostic }) => diagnostic as Diagnostic);
    expect(found.map(({ code }) => code).filter((code) => code !== "permission-mode")).toEqual([]);
  });
});
