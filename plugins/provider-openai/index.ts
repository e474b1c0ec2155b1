import { definePlugin } from "@quire/core";
import { createNetwork } from "./network/network.js";
import { openaiOptions } from "./options.js";
import { openaiProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";
import { tapRefusedRoles, type UserOnly } from "./wire/late-roles.js";

/**
 * OpenAI's three APIs (Responses, Chat Completions, Codex Responses): the vendor's own endpoint, and any server of one
 * of them named under `providers:` in config.
 */
export default definePlugin({
  name: "provider-openai",
  apiVersion: 1,
  after: ["provider-anthropic"],
  options: openaiOptions,
  configKeys: ["providers", "network"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    const { providers, late_system, network } = host.options;
    const isJoined = late_system === "joined";
    const userOnly: UserOnly = new Set();
    const all = openaiSettings(providers, env, createNetwork(network, env));
    for (const settings of all) host.providers.register(openaiProvider(settings, env, { isJoined, userOnly }));
    tapRefusedRoles(host, userOnly, (name) => all.find((settings) => settings.name === name)?.baseUrl);
  },
});
