import { definePlugin } from "@quire/core";
import { portsOf, usualPorts } from "./local/find-servers.js";
import { localProvider } from "./local/local-provider.js";
import { createNetwork } from "./network/network.js";
import { openaiOptions } from "./options.js";
import { openaiProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";
import { tapRefusedRoles, type UserOnly } from "./wire/late-roles.js";

/**
 * OpenAI's three APIs (Responses, Chat Completions, Codex Responses): the vendor's own endpoint, any server of one of
 * them named under `providers:` in config, and the model servers on this machine.
 */
export default definePlugin({
  name: "provider-openai",
  apiVersion: 1,
  after: ["provider-anthropic"],
  options: openaiOptions,
  configKeys: ["providers", "network"],
  setup(host) {
    const env = (name: string): string | undefined => process.env[name];
    const { providers, late_system, network, local_ports } = host.options;
    const userOnly: UserOnly = new Set();
    const late = { isJoined: late_system === "joined", userOnly };
    const all = openaiSettings(providers, env, createNetwork(network, env));
    for (const settings of all) host.providers.register(openaiProvider(settings, env, late));
    if (providers["local"] === undefined) {
      // No proxy leads back to this machine.
      const direct = createNetwork({ ...network, proxy: undefined }, () => undefined);
      const ports = local_ports ?? portsOf(env("QUIRE_LOCAL_PORTS")) ?? usualPorts;
      host.providers.register(localProvider(env, { ports, network: direct, late, report: host.report }));
    }
    tapRefusedRoles(host, userOnly, (name) => all.find((settings) => settings.name === name)?.baseUrl);
  },
});
