import type { SectionContent, SectionContext, SectionItem } from "@quire/core";
import always from "../../prompts/preset-pi/always.md";
import bashForFiles from "../../prompts/preset-pi/bash-for-files.md";

type PromptTool = SectionContext["tools"][number];

/**
 * Tool list and guidelines as section content: an item of group `tool` for each tool with a one-line snippet, then one
 * of group `guideline` for each text, once. Guidelines of a tool count whether it is listed or not.
 */
export function toolsContent(tools: readonly PromptTool[]): SectionContent {
  return { kind: "items", items: [...listed(tools).map(toolItem), ...guidelines(tools).map(guidelineItem)] };
}

/** Tools the model may call and finds in no list. */
export function unlistedTools(tools: readonly PromptTool[]): readonly string[] {
  const names = new Set(listed(tools).map(({ name }) => name));
  return tools.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Differs whenever `toolsContent` could. */
export function toolsKey(tools: readonly PromptTool[]): string {
  return JSON.stringify(tools.map(({ name, snippet, guidelines: own }) => [name, snippet ?? "", own ?? []]));
}

function listed(tools: readonly PromptTool[]): readonly PromptTool[] {
  return tools.filter(({ snippet }) => snippet !== undefined && snippet.trim() !== "" && !/[\r\n]/.test(snippet));
}

function guidelines(tools: readonly PromptTool[]): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  const isAlone = names.has("bash") && !["grep", "find", "ls"].some((name) => names.has(name));
  const texts = [
    ...(isAlone ? [bashForFiles.trim()] : []),
    ...tools.flatMap((tool) => tool.guidelines ?? []),
    ...always.trim().split("\n"),
  ];
  return [...new Set(texts)].filter((text) => text !== "");
}

function toolItem({ name, snippet = "" }: PromptTool): SectionItem {
  return { id: name, text: snippet, attrs: { group: "tool", name } };
}

function guidelineItem(text: string, index: number): SectionItem {
  return { id: `guideline-${index + 1}`, text, attrs: { group: "guideline" } };
}
