import { definePlugin } from "@quire/core";
import hostCommands from "../../prompts/environment/host.md";
import { environmentContent, environmentKey } from "./facts.js";

/** Tells the model where it runs, and which commands of the host it may type. */
export default definePlugin({
  name: "environment",
  apiVersion: 1,
  setup(host) {
    host.sections.register({
      name: "environment/facts",
      slot: "environment",
      cache: "memoized",
      key: (context) => environmentKey(context),
      compute: (context) => environmentContent(context),
    });
    host.sections.register({
      name: "environment/host",
      slot: "environment",
      after: ["environment/facts"],
      cache: "memoized",
      when: (context) => context.tools.some(({ effect }) => effect === "run"),
      compute: () => hostCommands.trim(),
    });
  },
});
