import type { StreamEvent } from "@quire/core";
import { arrayOf, recordOf } from "../narrow.js";
import type { RecordedRequest, Reply } from "../model-server/reply.js";
import { oddSchemas, oddToolNames } from "../wire/odd-tools.js";
import { randomConversation } from "../wire/random-conversation.js";
import { freezeDeep } from "./freeze-deep.js";
import { collectEvents, providerRequest, toolResult, userMessage } from "./provider-request.js";
import type { ProviderSuite } from "./provider-suite.js";
import { blocksOf, suiteBed } from "./suite-bed.js";

/** What a provider makes of requests: bodies that the vendor takes, whatever a session came to hold. */
export function wireSuite({ name, test, expect, make }: ProviderSuite): void {
  const { withServer, attempt } = suiteBed(make);

  test(`${name} projects equal requests to equal bodies and changes none`, async () => {
    await withServer({}, async (provider) => {
      const request = freezeDeep(conversation(provider.name));
      const first = JSON.stringify(provider.project(request));
      expect(JSON.stringify(provider.project(structuredClone(request)))).toBe(first);
    });
  });

  test(`${name} sends a conversation with broken-off calls in a form the vendor takes`, async () => {
    await withServer({ text: "ok" }, async (provider, server) => {
      const { error } = await attempt(provider, conversation(provider.name));
      expect(error).toBe(undefined);
      expect(server.requests[0]?.fault).toBe(undefined);
    });
  });

  test(`${name} sends random conversations in a form the vendor takes`, async () => {
    await withServer(
      () => ({ text: "ok" }),
      async (provider, server) => {
        for (let seed = 1; seed <= 40; seed += 1) {
          const model = { provider: provider.name, id: "test-model" };
          const { request } = randomConversation(seed, { model, maxMessages: 25 });
          const { error } = await attempt(provider, freezeDeep(request));
          expect(error instanceof Error ? `seed ${seed}: ${error.message}` : error).toBe(undefined);
        }
        expect(server.requests.filter(({ fault }) => fault !== undefined)).toEqual([]);
      },
    );
  });

  test(`${name} gives calls back under the names the host knows, whatever the vendor takes`, async () => {
    const tools = oddToolNames.map((tool, index) => ({
      name: tool,
      description: `Does ${tool}.`,
      input: { type: "object", properties: { "filter[name]": {}, path: {} }, required: ["path"], $comment: index },
    }));
    await withServer(callEverything, async (provider) => {
      const wire = provider.project(providerRequest({ tools }));
      const events = await collectEvents(provider.stream(wire, AbortSignal.timeout(20_000)));
      const args = { "filter[name]": "x", path: "x" };
      expect(blocksOf(events)).toMatchObject(tools.map((tool) => ({ type: "tool-call", name: tool.name, args })));
      const shown = events.flatMap((event: StreamEvent) => (event.type === "tool-args" ? [event.name] : []));
      expect([...new Set(shown)]).toEqual([...oddToolNames]);
    });
  });

  test(`${name} declares every schema in a form the vendor takes, the same one each time`, async () => {
    await withServer(
      () => ({ text: "ok" }),
      async (provider) => {
        const tools = oddSchemas.map((input, index) => ({ name: `tool${index}`, description: "Odd.", input }));
        const request = providerRequest({ tools });
        expect((await attempt(provider, request)).error).toBe(undefined);
        expect(JSON.stringify(provider.project(request))).toBe(
          JSON.stringify(provider.project(structuredClone(request))),
        );
      },
    );
  });
}

/** An answer that calls each declared tool with all of its arguments, in the words of the request. */
function callEverything({ body }: RecordedRequest): Reply {
  const toolCalls = arrayOf(body["tools"]).map((declared) => {
    const tool = recordOf(declared);
    const called = tool["function"] === undefined ? tool : recordOf(tool["function"]);
    const schema = recordOf(called["input_schema"] ?? called["parameters"]);
    const keys = Object.keys(recordOf(schema["properties"]));
    return { name: String(called["name"]), args: Object.fromEntries(keys.map((key) => [key, "x"])) };
  });
  return { toolCalls };
}

/** Two calls answered in the wrong order with a context message between, one never answered, and a picture. */
function conversation(provider: string): ReturnType<typeof providerRequest> {
  const call = (id: string) => ({ type: "tool-call", id, name: "read", args: { path: id } }) as const;
  const picture = { type: "image", mime: "image/png", base64: "iVBORw0KGgo=" } as const;
  return providerRequest({
    model: { provider, id: "test-model" },
    tools: [{ name: "read", description: "Reads.", input: { type: "object", properties: {} } }],
    messages: [
      userMessage("Read both.", "m1"),
      {
        id: "m2",
        role: "assistant",
        content: [
          { type: "thinking", text: "hm", provider: "another" },
          { type: "text", text: " " },
          call("c:1"),
          call("c:2"),
        ],
      },
      { id: "m3", role: "context", content: [{ type: "text", text: "The policy changed." }] },
      { id: "m4", role: "tool", content: [{ ...toolResult("c:2", "two"), content: [picture] }] },
      { id: "m5", role: "tool", content: [toolResult("c:1", "one")] },
      { id: "m6", role: "assistant", content: [call("c:1")] },
      userMessage("Go on.", "m7"),
    ],
    tail: "Two tasks are open.",
  });
}
