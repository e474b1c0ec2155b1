import { definePlugin, QuireError } from "@quire/core";
import instruction from "../../prompts/compaction/compact.md";
import { fullness } from "./fullness.js";
import { compactionOptions } from "./options.js";

/** Says how to sum a history up, and asks for it when the context is nearly full or was too small for a request. */
export default definePlugin({
  name: "compaction",
  apiVersion: 1,
  options: compactionOptions,
  configKeys: ["compaction"],
  setup(host) {
    const { auto, at } = host.options.compaction;
    host.sections.register({
      name: "compaction/instruction",
      slot: "end",
      cache: "memoized",
      scope: "global",
      audience: ["compaction"],
      compute: () => instruction.trim(),
    });
    if (!auto) return;
    host.hooks.afterProviderResponse.tap(({ usage }, { model, session }) => {
      const provider = host.providers.list().find(({ name }) => name === model.provider);
      if (usage === undefined || provider === undefined) return;
      const full = fullness(usage, provider.caps(model.id));
      if (full >= at) host.turns.compact(session.id, `the context of ${model.id} is ${Math.round(full * 100)} % full`);
    });
    // One attempt: a history that does not fit after a compaction will not fit after another.
    const tried = new Set<string>();
    host.hooks.providerError.tap(({ error }, { session, turnId }) => {
      if (!QuireError.is(error) || error.diagnostic.code !== "context-overflow" || tried.has(turnId)) return undefined;
      tried.add(turnId);
      host.turns.compact(session.id, "the conversation is larger than the model's context");
      return { retry: true, delayMs: 0 };
    });
  },
});
