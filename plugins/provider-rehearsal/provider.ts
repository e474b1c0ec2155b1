import type { ProviderRequest, ProviderSpec } from "@quire/core";
import { play } from "./play.js";
import { nextStep } from "./script.js";

/** What the script looks at: the request as it is. */
export type RehearsalBody = Pick<ProviderRequest, "model" | "system" | "tools" | "messages" | "tail">;

/** The provider that needs no key and no network. Equal requests get equal answers. */
export const rehearsalProvider: ProviderSpec = {
  name: "rehearsal",
  api: "rehearsal",
  defaultModel: "tour",
  available: () => true,
  models: () => Promise.resolve([{ id: "tour" }]),
  caps: () => ({
    contextTokens: 200_000,
    outputTokens: 8192,
    images: true,
    contextRole: "user",
    cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
  }),
  project({ model, system, tools, messages, tail }) {
    const body: RehearsalBody = { model, system, tools, messages, tail };
    return { url: "rehearsal:", headers: {}, body };
  },
  stream(wire, signal) {
    const body = wire.body as RehearsalBody;
    return play(body, nextStep(body), signal);
  },
};
