import { definePlugin } from "@quire/core";
import { nextModel } from "./next-model.js";
import { fallbackOptions } from "./options.js";

/** Lets other models go on with a turn whose model failed for good, in the order of config. */
export default definePlugin({
  name: "fallback",
  apiVersion: 1,
  after: ["compaction"],
  options: fallbackOptions,
  configKeys: ["fallback"],
  setup(host) {
    const { fallback } = host.options;
    if (fallback.length === 0) return;
    /** What failed, by turn. */
    const failed = new Map<string, Set<string>>();
    host.hooks.sessionStart.tap(() => {
      const known = new Set(host.providers.list().map(({ name }) => name));
      for (const model of fallback.filter((name) => !known.has(name.split("/")[0] ?? name))) {
        host.report({
          code: "fallback-unknown",
          level: "warn",
          message: `fallback names "${model}", and no provider is called "${model.split("/")[0]}"`,
          fix: "`agent list providers` shows all",
        });
      }
    });
    host.hooks.providerError.tap((failure, { model, turnId }) => {
      const tried = failed.get(turnId) ?? new Set<string>();
      failed.set(turnId, tried.add(`${model.provider}/${model.id}`));
      const next = nextModel(fallback, model, tried, failure);
      if (next === undefined) return undefined;
      tried.add(next);
      return { retry: true, delayMs: 0, model: next };
    });
    host.hooks.agentEnd.tap((_result, { turnId }) => void failed.delete(turnId));
  },
});
