import type { SectionContext, SectionSpec } from "@quire/core";
import code from "../../prompts/preset-coding-agent/code.md";
import noParallel from "../../prompts/preset-coding-agent/no-parallel.md";
import usage from "../../prompts/preset-coding-agent/tool-usage.md";

type PromptTools = SectionContext["tools"];

/** The names the request declares, as compact JSON. */
export const toolNamesSection: SectionSpec = {
  name: "preset-coding-agent/tools",
  slot: "tools",
  cache: "memoized",
  key: ({ tools }) => toolNames(tools),
  compute: ({ tools }) => toolNames(tools),
};

/** How to call tools; what it says of a tool follows from what is declared. */
export const toolUsageSection: SectionSpec = {
  name: "preset-coding-agent/tool-usage",
  slot: "tools",
  after: ["preset-coding-agent/tools"],
  cache: "memoized",
  key: ({ tools }) => toolNames(tools),
  compute: ({ tools }) => toolUsage(tools),
};

export function toolNames(tools: PromptTools): string {
  return JSON.stringify(tools.map(({ name }) => name));
}

export function toolUsage(tools: PromptTools): string {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const rules = [usage, ...(has("multi_tool_use.parallel") ? [] : [noParallel]), ...(has("code") ? [code] : [])];
  return rules.map((text) => text.trim()).join("\n");
}
