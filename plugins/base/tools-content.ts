import type { SectionContent, SectionContext, SectionItem } from "@quire/core";

export type PromptTool = SectionContext["tools"][number];

/**
 * The tools as section content: an item of group `tool` for each tool with a one-line snippet, then an item of group
 * `guideline` for each guideline of any tool, listed or not, once per exact text. Null when there is neither.
 */
export function toolsContent(tools: readonly PromptTool[]): SectionContent | null {
  const items = [...toolItems(tools), ...guidelineItems(tools)];
  return items.length === 0 ? null : { kind: "items", items };
}

/** Differs whenever `toolsContent` could. */
export function toolsKey(tools: readonly PromptTool[]): string {
  return JSON.stringify(tools.map(({ name, snippet, guidelines }) => [name, snippet ?? "", guidelines ?? []]));
}

function toolItems(tools: readonly PromptTool[]): readonly SectionItem[] {
  return tools.flatMap(({ name, snippet }) =>
    isOneLine(snippet) ? [{ id: name, text: snippet, attrs: { group: "tool", name } }] : [],
  );
}

function guidelineItems(tools: readonly PromptTool[]): readonly SectionItem[] {
  const guidelines = new Set(tools.flatMap((tool) => tool.guidelines ?? []));
  return [...guidelines]
    .filter((text) => text !== "")
    .map((text, index) => ({ id: `guideline-${index + 1}`, text, attrs: { group: "guideline" } }));
}

function isOneLine(snippet: string | undefined): snippet is string {
  return snippet !== undefined && snippet.trim() !== "" && !/[\r\n]/.test(snippet);
}
