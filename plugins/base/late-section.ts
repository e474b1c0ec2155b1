import type { SectionContent, SectionItem, SectionSpec, ToolRegistry } from "@quire/core";
import intro from "../../prompts/base/late-section.md";
import { lateTools } from "./late-tools.js";
import { gatewayName, shortGatewayName } from "./use-tool.js";

/** Bytes of names and descriptions that are listed; what is beyond is counted, and found by a search. */
const maxBytes = 8_192;

/**
 * Names the tools that are there and not declared, so that the model knows of them without a search. It never stands in
 * the prefix: what comes and goes is told, a line each.
 * @param declaredTools As for `use_tool`; undefined before a session's first request.
 */
export function lateSection(
  tools: Pick<ToolRegistry, "list">,
  declaredTools: (session: string) => ReadonlySet<string> | undefined,
): SectionSpec {
  const late = ({ session, tools: visible }: Parameters<SectionSpec["compute"]>[0]) =>
    lateTools(
      tools.list().filter(({ name }) => name !== gatewayName),
      declaredTools(session.id) ?? new Set(visible.map(({ name }) => name)),
    );
  return {
    name: "base/late-tools",
    slot: "tools",
    cache: { volatile: "servers bring and take tools while the session goes on", deliver: "delta" },
    budget: { maxBytes, overflow: "drop-items" },
    // Whoever may not use the gateway need not hear of what is behind it.
    when: ({ tools: visible }) => visible.some(({ name }) => name === shortGatewayName),
    key: (context) =>
      late(context)
        .map(({ name, description }) => `${name}\n${firstLine(description)}`)
        .join("\n"),
    compute: (context) => lateToolsContent(late(context)),
  };
}

/** The tools sorted by name, each with the first line of its description; null when there are none. */
export function lateToolsContent(
  tools: readonly { readonly name: string; readonly description: string }[],
): SectionContent | null {
  if (tools.length === 0) return null;
  const items = tools
    .map(({ name, description }): SectionItem => ({ id: name, text: firstLine(description), attrs: { name } }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { kind: "items", items, intro: intro.trim() };
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}
