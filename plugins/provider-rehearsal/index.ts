import { definePlugin } from "@quire/core";
import { rehearsalProvider } from "./provider.js";

/** Answers without a model: shows what would have been sent, and takes a tour with the real tools. */
export default definePlugin({
  name: "provider-rehearsal",
  apiVersion: 1,
  // Always available, so it comes last: whoever has a key wants a model.
  after: ["provider-anthropic", "provider-openai"],
  setup(host) {
    host.providers.register(rehearsalProvider);
  },
});
