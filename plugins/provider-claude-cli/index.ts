import { definePlugin } from "@quire/core";
import type { ProviderSpec } from "@quire/core";
import { claudeCliOptions } from "./options.js";
import { PrivateFolders } from "./private-folders.js";
import { claudeCliProvider } from "./provider.js";
import { programSettings } from "./settings.js";

/** Claude by the vendor's own command-line program, with the login it holds. */
export default definePlugin({
  name: "provider-claude-cli",
  apiVersion: 1,
  after: ["provider-anthropic"],
  options: claudeCliOptions,
  configKeys: ["providers", "claude_cli"],
  setup(host) {
    const folders = new PrivateFolders();
    const base = (): ProviderSpec | undefined => {
      const all = host.providers.list().filter(({ api }) => api === "anthropic-messages");
      return all.find(({ name }) => name === "anthropic") ?? all[0];
    };
    const place = { folders, base, environment: () => process.env };
    for (const settings of programSettings(host.options)) host.providers.register(claudeCliProvider(settings, place));
    // Behind the work: a temporary folder may hold thousands of names, and nobody waits for what a killed process left.
    host.hooks.sessionEnd.tap(() => folders.sweep());
  },
});
