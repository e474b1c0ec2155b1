import { definePlugin } from "@quire/core";
import { anthropicOptions } from "./options.js";
import { anthropicProvider } from "./provider.js";
import { anthropicSettings } from "./settings.js";

/** Anthropic Messages: the vendor's own endpoint, and any server of that API named under `providers:` in config. */
export default definePlugin({
  name: "provider-anthropic",
  apiVersion: 1,
  options: anthropicOptions,
  configKeys: ["providers"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    for (const settings of anthropicSettings(host.options.providers, env)) {
      host.providers.register(anthropicProvider(settings, env));
    }
  },
});
