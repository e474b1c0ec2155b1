import { definePlugin } from "@quire/core";

/** One small tool, so that the page shows how each mode declares it. */
export default definePlugin({
  name: "page",
  apiVersion: 1,
  setup: (host) =>
    host.tools.register({
      name: "page/read",
      description: "Reads a file.",
      effect: "read",
      input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      execute: () => ({ content: [] }),
    }),
});
