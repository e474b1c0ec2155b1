import type { Message, ProviderRequest, StreamEvent } from "@quire/core";
import * as z from "zod";

/** The MCP server's name, as the program knows it. */
export const serverName = "quire";

/** What the program puts before the name of each tool of that server. */
export const toolPrefix = `mcp__${serverName}__`;

const renamedSchema = z.record(z.string(), z.object({ name: z.string(), keys: z.record(z.string(), z.string()) }));

/** By the wire's name of a tool: its prefixed name, and of its arguments those that have another name on the wire. */
export type RenamedTools = z.output<typeof renamedSchema>;

/** What a projection had to rename; empty when it says nothing of it. */
export function renamedTools(renamed: unknown): RenamedTools {
  return renamedSchema.safeParse(renamed).data ?? {};
}

/** The request with every tool under its prefixed name: declared, called and answered. */
export function withPrefix(request: ProviderRequest): ProviderRequest {
  const tools = request.tools.map((tool) => ({ ...tool, name: toolPrefix + tool.name }));
  return { ...request, tools, messages: request.messages.map(prefixed) };
}

function prefixed(message: Message): Message {
  const content = message.content.map((block) =>
    block.type === "tool-call" || block.type === "tool-result" ? { ...block, name: toolPrefix + block.name } : block,
  );
  return { ...message, content };
}

/** The events with the names the host knows. */
export async function* restoreNames(
  events: AsyncIterable<StreamEvent>,
  renamed: RenamedTools,
): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    if (event.type === "tool-args") {
      yield { ...event, name: hostName(event.name, renamed) };
    } else if (event.type === "block" && event.block.type === "tool-call") {
      const { block } = event;
      const keys = renamed[block.name]?.keys ?? {};
      const args = Object.fromEntries(Object.entries(block.args).map(([key, value]) => [keys[key] ?? key, value]));
      yield { type: "block", block: { ...block, name: hostName(block.name, renamed), args } };
    } else yield event;
  }
}

/** A name without the prefix is one that the model made up; the host answers it. */
function hostName(wireName: string, renamed: RenamedTools): string {
  const name = renamed[wireName]?.name ?? wireName;
  return name.startsWith(toolPrefix) ? name.slice(toolPrefix.length) : name;
}
