import { expect, test } from "vitest";
import { commandNames } from "./command-table.js";
import { parseArguments } from "./parse-arguments.js";
import { refuseReserved } from "./reserved-commands.js";

test.for(["mcp", "mcp list", "mcp add files -- npx server", "plugin", "plugin list --json", "plugin add x"])(
  "refuses %s instead of asking a model",
  (typed) => expect(() => parseArguments(typed.split(" "))).toThrow(/\[arguments-invalid\].*no command "(mcp|plugin)/),
);

test.for(["mcp servers are what?", "plugin loading is broken", "-p mcp list", "-- plugin list"])(
  "takes %s for a prompt",
  (typed) => expect(parseArguments(typed.split(" "))).toMatchObject({ kind: "turn" }),
);

test("lets a command through once it is there", () => {
  expect(() => refuseReserved(["mcp", "list"], [...commandNames, "mcp"])).not.toThrow();
});
