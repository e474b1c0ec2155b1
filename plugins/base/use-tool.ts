import { ToolError } from "@quire/core";
import type { Config, ToolRegistry, ToolResult, ToolSpec } from "@quire/core";
import found from "../../prompts/base/late-tools.md";
import description from "../../prompts/base/use-tool.md";
import { describeTools, findTool, lateTools, searchTools } from "./late-tools.js";

/** Full name of the gateway, and the name the model sees. */
export const gatewayName = "base/use_tool";
export const shortGatewayName = "use_tool";

/**
 * The gateway to tools that were not there when the tool list was declared. It only passes calls on, through the gates
 * of the called tool, so its own effect is `read`.
 * @param declaredTools Names, as the model sees them, that the session's last request declared.
 */
export function useTool(
  tools: Pick<ToolRegistry, "list" | "call">,
  declaredTools: (session: string) => ReadonlySet<string>,
): ToolSpec {
  return {
    name: gatewayName,
    description: description.trim(),
    snippet: "find and call tools that became available after the conversation began",
    effect: "read",
    input: {
      type: "object",
      properties: {
        search: {
          type: "string",
          description: "Words of the name or description; empty for every late tool",
        },
        name: { type: "string", description: "The tool to call, as a search shows it" },
        args: { type: "object", description: "Arguments for that tool, by its input schema" },
      },
      additionalProperties: false,
    },
    async execute(raw, context) {
      const input = parseInput(raw);
      const available = tools.list().filter(({ name }) => name !== gatewayName);
      const late = lateTools(available, declaredTools(context.session.id));
      if ("search" in input) return searchAnswer(late, input.search);
      const tool = findTool(available, input.name);
      if (tool === undefined) throw unknownTool(input.name, late);
      return unwrap(await tools.call(tool.name, input.args, context));
    },
  };
}

type UseToolInput = { readonly search: string } | { readonly name: string; readonly args: Config };

/** @throws {ToolError} `tool-input-invalid` unless there is either a text `search`, or a text `name` with an object `args`. */
export function parseInput(raw: unknown): UseToolInput {
  const input = isObject(raw) ? raw : {};
  const { search, name } = input;
  const args = input["args"] ?? {};
  if (typeof name === "string" && name !== "" && (search === undefined || search === "")) {
    if (isObject(args)) return { name, args };
    throw inputError(`"args" must be an object, seen: ${JSON.stringify(args)}`);
  }
  if (typeof search === "string" && (name === undefined || name === "")) return { search };
  throw inputError(`either "search" or "name" is wanted, as text`);
}

function searchAnswer(late: readonly ToolSpec[], search: string): string {
  const matches = searchTools(late, search);
  if (matches.length > 0) {
    const shown = describeTools(matches);
    const head = found.trim().replace("{total}", String(matches.length)).replace("{shown}", String(shown.length));
    return [head, ...shown].join("\n\n");
  }
  if (late.length === 0) return "There are no tools beyond the declared ones.";
  return `No tool beyond the declared ones matches "${search}". There are: ${nameList(late)}.`;
}

function unknownTool(name: string, late: readonly ToolSpec[]): ToolError {
  return new ToolError({
    code: "tool-unknown",
    level: "error",
    message: `There is no tool "${name}"`,
    fix: late.length === 0 ? "No tool is there beyond the declared ones" : `Late tools are: ${nameList(late)}`,
  });
}

function nameList(tools: readonly ToolSpec[]): string {
  const names = tools.map(({ name }) => name);
  const rest = names.length - 50;
  return rest > 0 ? `${names.slice(0, 50).join(", ")} and ${rest} more` : names.join(", ");
}

function unwrap(result: ToolResult): ToolResult["content"] {
  if (!result.isError) return result.content;
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  throw new Error(texts.join("\n") || "The tool failed without a message");
}

function inputError(seen: string): ToolError {
  return new ToolError({
    code: "tool-input-invalid",
    level: "error",
    message: `use_tool: ${seen}`,
    fix: 'Send { "search": "words" } or { "name": "plugin/tool", "args": { … } }',
  });
}

function isObject(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
