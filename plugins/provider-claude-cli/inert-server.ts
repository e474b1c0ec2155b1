/**
 * The program of the MCP server: it lists the tools of the JSON file named by its first argument, and refuses to run
 * any. It is a text because the host ships as a bundle, in which another process has no module to start from; it needs
 * nothing but Node.
 */
export const inertServerSource = String.raw`
"use strict";
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "quire", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome =
    answer === undefined
      ? { error: { code: -32601, message: "This server only lists tools; the host runs them" } }
      : { result: answer(params ?? {}) };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }) + "\n");
});
`;
