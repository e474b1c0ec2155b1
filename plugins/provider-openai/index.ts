import { definePlugin } from "@quire/core";
import { openaiOptions } from "./options.js";
import { openaiChatProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";

/** OpenAI Chat Completions: the vendor's own endpoint, and any server of that API named under `providers:` in config. */
export default definePlugin({
  name: "provider-openai",
  apiVersion: 1,
  after: ["provider-anthropic"],
  options: openaiOptions,
  configKeys: ["providers"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    for (const settings of openaiSettings(host.options.providers, env)) {
      host.providers.register(openaiChatProvider(settings, env));
    }
  },
});
