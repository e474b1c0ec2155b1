import { expect, test } from "vitest";
import type { PluginDefinition } from "@quire/core";
import { createTestHost, fakeProvider, type Reply } from "@quire/testkit";
import fallback from "./index.js";

const down: Reply = { fault: { kind: "status", status: 503 } };
const refused: Reply = { fault: { kind: "status", status: 400 } };

function provider(name: string, replies: readonly (Reply | string)[]): PluginDefinition {
  return { ...fakeProvider({ name, replies }), name: `provider-${name}` };
}

async function talk(chain: readonly string[], plugins: readonly PluginDefinition[]) {
  const host = await createTestHost({
    plugins: [fallback, ...plugins],
    config: { model: "first/big", fallback: chain },
    strict: false,
    timeScale: 0.001,
  });
  const turn = host.session.send("hello", new AbortController().signal);
  const told: string[] = [];
  for await (const event of turn) if (event.type === "diagnostic") told.push(event.diagnostic.message);
  return { host, result: await turn.result, told };
}

const five = Array.from({ length: 5 }, () => down);

test("after the last failed attempt the next model of config goes on, and the user is told", async () => {
  const { result, told } = await talk(
    ["second/small"],
    [provider("first", five), provider("second", ["spare answer"])],
  );
  expect(result).toMatchObject({ stop: "end", text: "spare answer" });
  expect(told.filter((message) => message.includes("attempt"))).toHaveLength(4);
  expect(told.at(-1)).toContain("second/small goes on with this turn");
});

test("the chain is followed to its end, past a model that refuses, and the last failure is told", async () => {
  const plugins = [provider("first", five), provider("second", [refused]), provider("third", [refused])];
  const { result, told } = await talk(["first/big", "second", "third/x"], plugins);
  expect(result).toMatchObject({ stop: "error", error: { code: "provider-refused" } });
  expect(told.filter((message) => message.includes("goes on with this turn"))).toHaveLength(2);
});

test.for([400, 401, 403, 404, 422])("no other model is asked after a refusal with %s", async (status) => {
  const refusal: Reply = { fault: { kind: "status", status } };
  const { result } = await talk(["second/small"], [provider("first", [refusal]), provider("second", ["no"])]);
  expect(result).toMatchObject({ stop: "error" });
});

test("a provider that nobody brings is reported when a session begins", async () => {
  const { host } = await talk(["nobody/x"], [provider("first", ["hi"])]);
  expect(host.diagnostics).toContainEqual(expect.objectContaining({ code: "fallback-unknown", plugin: "fallback" }));
});

test("an entry that is no model is refused with its place", async () => {
  const host = await createTestHost({ plugins: [fallback], config: { fallback: ["a b"] }, strict: false });
  expect(host.diagnostics[0]?.message).toContain("provider/model");
});
