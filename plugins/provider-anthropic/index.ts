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
    const { providers, late_system } = host.options;
    for (const settings of anthropicSettings(providers, env)) {
      host.providers.register(anthropicProvider(settings, env, late_system === "joined"));
    }
  },
});
