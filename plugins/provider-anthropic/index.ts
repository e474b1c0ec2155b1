import { definePlugin } from "@quire/core";
import { createNetwork } from "./network/network.js";
import { anthropicOptions } from "./options.js";
import { anthropicProvider } from "./provider.js";
import { anthropicSettings } from "./settings.js";
import { tapRefusedRoles, type UserOnly } from "./wire/late-roles.js";

/** The vendor pings far more often. */
const silenceMs = 120_000;

/** Anthropic Messages: the vendor's own endpoint, and any server of that API named under `providers:` in config. */
export default definePlugin({
  name: "provider-anthropic",
  apiVersion: 1,
  options: anthropicOptions,
  configKeys: ["providers", "network"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    const { providers, late_system, network } = host.options;
    const isJoined = late_system === "joined";
    const userOnly: UserOnly = new Set();
    const all = anthropicSettings(providers, env, createNetwork(network, env, silenceMs));
    for (const settings of all) host.providers.register(anthropicProvider(settings, env, { isJoined, userOnly }));
    tapRefusedRoles(host, userOnly, (name) => all.find((settings) => settings.name === name)?.baseUrl);
  },
});
