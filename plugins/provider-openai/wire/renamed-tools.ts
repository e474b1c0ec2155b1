import type { Attrs, Config, StreamEvent, ToolCall, WireRequest } from "@quire/core";

/** By the wire's name of a tool: the host's name of it, and of its arguments those that have another on the wire. */
export type RenamedTools = Readonly<Record<string, { readonly name: string; readonly keys: Attrs }>>;

/** A wire that remembers which names the vendor did not take; the body holds none of them. */
export interface NamedWire extends WireRequest {
  readonly renamed?: RenamedTools;
}

/** The events with the names the host knows; without renamed tools the events as they are. */
export function restoreNames(
  events: AsyncIterable<StreamEvent>,
  renamed: RenamedTools | undefined,
): AsyncIterable<StreamEvent> {
  return renamed === undefined ? events : restored(events, renamed);
}

async function* restored(events: AsyncIterable<StreamEvent>, renamed: RenamedTools): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    if (event.type === "tool-args") yield { ...event, name: renamed[event.name]?.name ?? event.name };
    else if (event.type === "block" && event.block.type === "tool-call") {
      yield { type: "block", block: restoreCall(event.block, renamed) };
    } else yield event;
  }
}

function restoreCall(call: ToolCall, renamed: RenamedTools): ToolCall {
  const tool = renamed[call.name];
  if (tool === undefined) return call;
  return { ...call, name: tool.name, args: withKeys(call.args, tool.keys) };
}

/** The same values under the names that `keys` gives. */
export function withKeys(args: Config, keys: Attrs): Config {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [keys[key] ?? key, value]));
}
