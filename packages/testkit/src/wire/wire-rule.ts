import type { Config } from "@quire/core";
import { arrayOf, recordOf } from "../narrow.js";

/** The wire modes whose rules are known. */
export type WireApi = "anthropic-messages" | "openai-chat" | "openai-responses" | "openai-codex";

/** What a rule looks at. */
export interface WireView {
  readonly body: Config;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One documented refusal of a vendor. */
export interface WireRule {
  /** Kebab-case. */
  readonly name: string;
  /** What the vendor says, in substance; undefined when the body keeps the rule. */
  check(view: WireView): string | undefined;
}

/** The first answer that `check` gives to an item, behind the path of that item. */
export function firstIn<T>(
  items: readonly T[],
  path: string,
  check: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const wrong = check(item, index);
    if (wrong !== undefined) return `${path}.${index}: ${wrong}`;
  }
  return undefined;
}

/** The objects of a list in a body. */
export function objectsOf(value: unknown): readonly Config[] {
  return arrayOf(value).map(recordOf);
}

/** The model's name without the path a gateway puts before it. */
export function modelOf(body: Config): string {
  return String(body["model"]).split("/").at(-1) ?? "";
}
