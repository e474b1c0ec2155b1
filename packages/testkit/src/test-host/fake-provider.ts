import { definePlugin } from "@quire/core";
import type { Caps, PluginDefinition, ProviderRequest, ProviderSpec } from "@quire/core";
import type { Reply } from "../model-server/reply.js";
import { playReply } from "./play-reply.js";

export type FakeReply = string | Reply;

export interface FakeProviderOptions {
  /** In the order of the requests, or one function for all. A request beyond the last reply fails with status 400. */
  readonly replies:
    readonly (FakeReply | ((request: ProviderRequest) => FakeReply))[] | ((request: ProviderRequest) => FakeReply);
  /** `fake` by default. */
  readonly name?: string;
  readonly caps?: Partial<Caps>;
}

/** A plugin that brings a scripted provider, and shows what the provider was asked. */
export interface FakeProvider extends PluginDefinition {
  /** Every request so far, failed ones too. */
  readonly requests: readonly ProviderRequest[];
}

/** The plugin name of a fake provider. */
export const fakeProviderPlugin = "fake-provider";

/** A provider without a network that says what the script says: texts, thinking, tool calls, faults. */
export function fakeProvider(options: FakeProviderOptions): FakeProvider {
  const requests: ProviderRequest[] = [];
  const name = options.name ?? "fake";
  const next = (request: ProviderRequest): Reply => {
    const { replies } = options;
    const given = typeof replies === "function" ? replies : replies[requests.length];
    requests.push(request);
    const reply = typeof given === "function" ? given(request) : given;
    if (reply === undefined) {
      const body = `The script holds ${replies.length} replies; this is number ${requests.length}`;
      return { fault: { kind: "status", status: 400, body } };
    }
    return typeof reply === "string" ? { text: reply } : reply;
  };
  const spec: ProviderSpec = {
    name,
    api: "fake",
    defaultModel: "fake-model",
    available: () => true,
    caps: () => ({
      contextTokens: 100_000,
      outputTokens: 4096,
      images: true,
      contextRole: "user",
      cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
      ...options.caps,
    }),
    project: (request) => ({ url: "fake:", headers: {}, body: request }),
    stream: (wire, signal) => playReply(next(wire.body as ProviderRequest), name, requests.length, signal),
  };
  return {
    ...definePlugin({
      name: fakeProviderPlugin,
      apiVersion: 1,
      setup: (host) => host.providers.register(spec),
    }),
    requests,
  };
}
