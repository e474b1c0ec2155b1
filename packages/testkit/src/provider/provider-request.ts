import { sha256 } from "@quire/core/host";
import type { Message, ProviderRequest, StreamEvent, ToolResult } from "@quire/core";

/** A request in neutral form with the given parts; the rest is small: one sentence of system text, the word "hi". */
export function providerRequest(parts: Partial<ProviderRequest> = {}): ProviderRequest {
  const text = "You are a test.\n";
  return {
    model: { provider: "test", id: "test-model" },
    system: { text, regions: [{ kind: "session", start: 0, end: text.length, hash: sha256(text) }] },
    tools: [],
    messages: [userMessage("hi")],
    tail: "",
    cacheKey: "cache-key",
    params: {},
    ...parts,
  };
}

/** What the user said. */
export function userMessage(text: string, id = "m-user"): Message {
  return { id, role: "user", content: [{ type: "text", text }] };
}

/** A tool's answer with one text. */
export function toolResult(id: string, text: string, isError = false): ToolResult {
  return { type: "tool-result", id, name: "read", isError, content: [{ type: "text", text }] };
}

/** Every event of a stream. */
export async function collectEvents(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
