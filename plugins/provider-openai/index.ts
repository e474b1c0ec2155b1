import { definePlugin } from "@quire/core";
import { openaiOptions } from "./options.js";
import { openaiProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";

/**
 * OpenAI's three APIs (Responses, Chat Completions, Codex Responses): the vendor's own endpoint, and any server of one
 * of them named under `providers:` in config.
 */
export default definePlugin({
  name: "provider-openai",
  apiVersion: 1,
  after: ["provider-anthropic"],
  options: openaiOptions,
  configKeys: ["providers"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    const { providers, late_system } = host.options;
    for (const settings of openaiSettings(providers, env)) {
      host.providers.register(openaiProvider(settings, env, late_system === "joined"));
    }
  },
});
