import type { Message, ProviderRequest, ProviderSpec, WireRequest } from "@quire/core";
import { parseBody } from "./body.js";
import type { ProgramBody } from "./body.js";
import { renamedTools, withPrefix } from "./tool-names.js";
import type { RenamedTools } from "./tool-names.js";

/** A wire that remembers which names travel in another form; the body holds none of them. */
export interface ProgramWire extends WireRequest {
  readonly body: ProgramBody;
  readonly renamed: RenamedTools;
}

/** Tokens of an answer when a model is named by an alias, which says nothing of its limit. Source: the program's own. */
export const aliasOutputTokens = 32_000;

/** Whether a model is named by one of the program's own words, such as `sonnet`, and not by the vendor's id. */
export function isAlias(model: string): boolean {
  return !model.includes("claude");
}

/**
 * The body for the program: the Anthropic projection of the request, tools under their prefixed names, all thinking
 * left out, the system text in one piece. Pure when `base` is.
 * @param base A provider that projects to Anthropic Messages.
 */
export function projectForProgram(request: ProviderRequest, base: ProviderSpec, url: string): ProgramWire {
  const { model, params } = request;
  const asked: ProviderRequest = {
    ...withPrefix({ ...request, messages: request.messages.map(withoutThinking) }),
    params: isAlias(model.id) ? { maxTokens: aliasOutputTokens, ...params } : params,
  };
  const wire = base.project(asked);
  const renamed = renamedTools("renamed" in wire ? wire.renamed : undefined);
  return { url, headers: {}, body: parseBody(wire.body), renamed };
}

function withoutThinking(message: Message): Message {
  const content = message.content.filter(({ type }) => type !== "thinking");
  return content.length === message.content.length ? message : { ...message, content };
}
