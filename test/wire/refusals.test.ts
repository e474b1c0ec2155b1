import { afterEach, beforeEach, expect, test } from "vitest";
import { definePlugin, type Config } from "@quire/core";
import { createTestHost, startModelServer } from "@quire/testkit";
import type { ModelServer, RecordedRequest, Reply } from "@quire/testkit";
import compaction from "../../plugins/compaction/index.js";
import anthropic from "../../plugins/provider-anthropic/index.js";
import openai from "../../plugins/provider-openai/index.js";

let server: ModelServer;
let answer: (request: RecordedRequest) => Reply | string = () => "ok";

beforeEach(async () => {
  server = await startModelServer({ replies: (request) => answer(request) });
});
afterEach(() => server.close());

/** A session at an endpoint of one wire mode. */
async function talk(api: string, model: string) {
  const base_url = api === "anthropic-messages" ? server.anthropicUrl : server.openaiUrl;
  const endpoint = { api, base_url: api === "openai-codex" ? server.codexUrl : base_url, models: [model] };
  let note = "";
  const noted = definePlugin({
    name: "noted",
    apiVersion: 1,
    setup: (host) => host.hooks.beforeAgentStart.tap((start) => start.addContext(note)),
  });
  const host = await createTestHost({
    plugins: [compaction, anthropic, openai, noted],
    config: { model: "gateway", providers: { gateway: endpoint } },
    timeScale: 0.001,
    strict: false,
  });
  return {
    host,
    send: (words: string, context = "A note.") => {
      note = context;
      return host.session.send(words, AbortSignal.timeout(20_000)).result;
    },
  };
}

const refused = (status: number, body: Config): Reply => ({ fault: { kind: "status", status, body } });
const openaiError = (message: string, code: string): Config => ({
  error: { message, type: "invalid_request_error", param: null, code },
});

test.for([
  {
    name: "Anthropic",
    api: "anthropic-messages",
    reply: refused(400, {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 212000 tokens > 200000 maximum" },
    }),
  },
  {
    name: "Chat Completions",
    api: "openai-chat",
    reply: refused(
      400,
      openaiError(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
        "context_length_exceeded",
      ),
    ),
  },
  {
    name: "Responses",
    api: "openai-responses",
    reply: refused(400, openaiError("Your input exceeds the context window of this model.", "context_length_exceeded")),
  },
  {
    name: "Codex",
    api: "openai-codex",
    reply: refused(400, openaiError("Your input exceeds the context window of this model.", "")),
  },
  {
    name: "llama.cpp",
    api: "openai-chat",
    reply: refused(400, {
      error: {
        code: 400,
        message: "the request exceeds the available context size. try increasing the context size",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    }),
  },
])("overflow in the words of $name is compacted away, and the turn is answered", async ({ api, reply }) => {
  let refusals = 0;
  answer = ({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes("about to be replaced")) return "SUMMARY OF EARLIER";
    if (!text.includes("second words") || text.includes("SUMMARY OF EARLIER"))
      return `answered ${server.requests.length}`;
    refusals += 1;
    return reply;
  };
  const { host, send } = await talk(api, "gpt-5");
  await send("first words");
  expect(await send("second words")).toMatchObject({ stop: "end", text: "answered 4" });
  expect(refusals).toBe(1);
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("first words");
  expect(host.diagnostics.map(({ message }) => message).join("\n")).toContain("larger than the context of gpt-5");
});

test("an overflow that compaction cannot mend is said clearly, once", async () => {
  answer = ({ body }) =>
    JSON.stringify(body).includes("about to be replaced")
      ? "SUMMARY"
      : refused(400, openaiError("Your input exceeds the context window of this model.", "context_length_exceeded"));
  const { send } = await talk("openai-responses", "gpt-5");
  expect(await send("far too much")).toMatchObject({
    stop: "error",
    error: { code: "context-overflow", fix: expect.stringContaining("/compact") },
  });
  expect(server.requests).toHaveLength(2);
});

test.for([
  { api: "openai-responses", model: "gpt-5", role: "developer", said: "Invalid value: 'developer'." },
  { api: "openai-codex", model: "gpt-5", role: "developer", said: "Unsupported role: developer" },
  { api: "openai-chat", model: "gpt-5", role: "system", said: "System message must be at the beginning." },
  { api: "anthropic-messages", model: "claude-sonnet-5-5", role: "system", said: 'Unexpected role "system"' },
])("$api falls back to the user's role after a 400 that names $role, told once", async ({ api, model, role, said }) => {
  const late = ({ body }: RecordedRequest): boolean => {
    const items = (body["messages"] ?? body["input"]) as readonly { readonly role?: string }[];
    return items.slice(1).some((item) => item.role === role);
  };
  answer = (request) => (late(request) ? refused(400, openaiError(said, "")) : "fine");
  const { host, send } = await talk(api, model);
  expect(await send("hello")).toMatchObject({ stop: "end", text: "fine" });
  expect(await send("again", "Another note.")).toMatchObject({ stop: "end", text: "fine" });
  expect(server.requests.map(late)).toEqual([true, false, false]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("Another note.");
  expect(host.diagnostics.filter(({ code }) => code === "context-role-refused")).toHaveLength(1);
  expect(host.providers.find(({ name }) => name === "gateway")?.caps(model).contextRole).toBe("user");
});

test("a 400 that names a role where no such message was sent is final", async () => {
  answer = () => refused(400, openaiError("roles must alternate", ""));
  const { send } = await talk("openai-chat", "qwen3");
  expect(await send("hello")).toMatchObject({ stop: "error", error: { code: "provider-refused" } });
  expect(server.requests).toHaveLength(1);
});
