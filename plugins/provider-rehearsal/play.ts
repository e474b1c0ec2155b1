import { estimateTokens } from "@quire/core";
import type { StreamEvent } from "@quire/core";
import type { RehearsalBody } from "./provider.js";
import type { Step } from "./script.js";

/** Characters per increment. */
const chunkLength = 48;

/** Streams a step as a model's provider would: increments, whole blocks, usage (estimated), end. */
export async function* play(body: RehearsalBody, step: Step, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let said = 0;
  const characters = Array.from(step.text);
  for (let start = 0; start < characters.length; start += chunkLength) {
    signal.throwIfAborted();
    yield { type: "text", delta: characters.slice(start, start + chunkLength).join("") };
  }
  yield { type: "block", block: { type: "text", text: step.text } };
  said += estimateTokens(step.text);
  for (const call of step.calls) {
    signal.throwIfAborted();
    const delta = JSON.stringify(call.args);
    said += estimateTokens(delta);
    yield { type: "tool-args", id: call.id, name: call.name, delta };
    yield { type: "block", block: call };
  }
  const { system, tools, messages, tail } = body;
  const input = estimateTokens(system.text) + estimateTokens(JSON.stringify([tools, messages, tail]));
  yield { type: "usage", usage: { input, cacheRead: 0, cacheWrite: 0, output: said } };
  yield { type: "end", stop: step.calls.length > 0 ? "tools" : "end" };
}
