import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer } from "@quire/testkit";
import type { ConversationMark, ModelServer, Reply } from "@quire/testkit";
import type { Block, Message, ProviderRequest, StreamEvent, ToolCall } from "@quire/core";
import { anthropicProvider } from "../../plugins/provider-anthropic/provider.js";
import { openaiProvider } from "../../plugins/provider-openai/provider.js";
import { createNetwork } from "../../plugins/provider-openai/network/network.js";
import type { OpenaiApi } from "../../plugins/provider-openai/options.js";
import { missingIn } from "./missing-marks.js";
import type { WireModeCase } from "./wire-modes.js";

const network = createNetwork({}, () => undefined);

let server: ModelServer;
let reply: Reply = {};

beforeAll(async () => {
  server = await startModelServer({ replies: () => reply });
});

afterAll(() => server.close());

function modes(): readonly WireModeCase[] {
  const anthropic = { name: "anthropic", baseUrl: server.anthropicUrl, apiKeyEnv: "A_KEY", models: [], network };
  const openai = (name: string, api: OpenaiApi, baseUrl: string, model: string): WireModeCase => {
    const settings = { name, api, baseUrl, apiKeyEnv: "O_KEY", models: [], tools: true, network };
    return { name, provider: openaiProvider(settings, () => "k"), model, isJoined: false };
  };
  return [
    {
      name: "anthropic",
      provider: anthropicProvider(anthropic, () => "k"),
      model: "claude-sonnet-5-5",
      isJoined: false,
    },
    openai("openai-chat", "openai-chat", server.openaiUrl, "gpt-5"),
    openai("openai", "openai-responses", server.openaiUrl, "gpt-5"),
    openai("openai-codex", "openai-codex", server.codexUrl, "gpt-5"),
  ];
}

const picture = (word: string): Block => ({
  type: "image",
  mime: "image/png",
  base64: Buffer.from(word).toString("base64"),
});

const tools: ProviderRequest["tools"] = ["read", "mcp.files/search in files"].map((name) => ({
  name,
  description: `Does ${name}.`,
  input: { type: "object", properties: { path: { type: "string" }, "filter[name]": { type: "array" } } },
}));

/** A conversation that grows, and the words that must not get lost on its way. */
class Conversation {
  readonly messages: Message[] = [];
  readonly marks: ConversationMark[] = [];

  mark(kind: ConversationMark["kind"], rest: Partial<ConversationMark> = {}): string {
    const word = `mark${this.marks.length}x`;
    this.marks.push({ word, kind, ...rest });
    return word;
  }

  add(role: Message["role"], ...content: Block[]): void {
    this.messages.push({ id: `m${this.messages.length}`, role, content });
  }

  /** One request through one mode, over the network; its answer joins the conversation. */
  async ask(
    mode: WireModeCase,
    script: () => Reply,
    stopAfter = Number.POSITIVE_INFINITY,
  ): Promise<readonly ToolCall[]> {
    const known = [...this.marks];
    reply = script();
    const model = { provider: mode.provider.name, id: mode.model };
    const wire = mode.provider.project(this.request(mode));
    const controller = new AbortController();
    const events: StreamEvent[] = [];
    try {
      for await (const event of mode.provider.stream(wire, controller.signal)) {
        events.push(event);
        if (events.length >= stopAfter) controller.abort(new Error("stopped by the user"));
      }
    } catch (error) {
      expect(error).toMatchObject({ message: "stopped by the user" });
    }
    const sent = server.requests.at(-1);
    expect({ mode: mode.name, fault: sent?.fault }).toEqual({ mode: mode.name, fault: undefined });
    expect(missingIn(sent?.body, known, mode)).toEqual([]);
    const content = events.flatMap((event) => (event.type === "block" ? [event.block] : []));
    const shown = events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("");
    const isStopped = controller.signal.aborted;
    const kept: Block[] = isStopped && shown !== "" ? [...content, { type: "text", text: shown }] : content;
    const stop = isStopped ? "aborted" : "end";
    this.messages.push({ id: `m${this.messages.length}`, role: "assistant", content: kept, model, stop });
    return content.flatMap((block) => (block.type === "tool-call" ? [block] : []));
  }

  request(mode: WireModeCase): ProviderRequest {
    return {
      model: { provider: mode.provider.name, id: mode.model },
      system: { text: "You are a test.\n", regions: [] },
      tools,
      messages: this.messages,
      tail: "",
      cacheKey: "k",
      params: { thinking: "adaptive", effort: "low" },
    };
  }
}

test("a conversation of 40 messages moves through every mode in turn, and each vendor takes it whole", async () => {
  const all = modes();
  const conversation = new Conversation();
  let turn = 0;
  const next = (): WireModeCase => {
    // Each mode asks for calls at times, and closes a turn at others.
    const mode = all[(turn + Math.floor(turn / all.length)) % all.length];
    turn += 1;
    if (mode === undefined) throw new Error("no mode");
    return mode;
  };
  while (conversation.messages.length < 40) {
    const isLate = turn % 3 === 1;
    conversation.add("user", { type: "text", text: conversation.mark("user") }, picture(conversation.mark("image")));
    if (isLate) conversation.add("context", { type: "text", text: conversation.mark("context") });
    const asking = next();
    const calls = await conversation.ask(asking, () => ({
      thinking: conversation.mark("thinking", { provider: asking.provider.name, isSigned: true }),
      text: conversation.mark("assistant"),
      toolCalls: [
        { name: "read", args: { path: conversation.mark("call") }, id: `c${turn % 2}` },
        { name: wireName(asking), args: { path: conversation.mark("call") }, id: "same" },
        { name: "read", args: { path: conversation.mark("call") }, id: "same-again" },
      ],
      interleaved: true,
    }));
    expect(calls.map(({ name }) => name)).toEqual(["read", "mcp.files/search in files", "read"]);
    // The last call is never answered; the others in the wrong order, one with a picture.
    const [first, second] = calls;
    for (const call of [second, first]) {
      if (call === undefined) throw new Error("a call is missing");
      const words: Block = { type: "text", text: conversation.mark("result") };
      const content = call === first ? [words, picture(conversation.mark("image"))] : [words];
      conversation.add("tool", {
        type: "tool-result",
        id: call.id,
        name: call.name,
        isError: call === second,
        content,
      });
    }
    if (turn === 5) {
      const text = (): string => `${conversation.mark("assistant")} and much more that nobody waits for`;
      await conversation.ask(next(), () => ({ text: text(), chunk: 9, delayMs: 20 }), 3);
      expect(conversation.messages.at(-1)?.stop).toBe("aborted");
    } else {
      await conversation.ask(next(), () => ({ text: conversation.mark("assistant") }));
    }
  }
  expect(conversation.messages.length).toBeGreaterThanOrEqual(40);
  expect(turn).toBeGreaterThanOrEqual(2 * all.length);
  expect(conversation.messages.some(({ stop }) => stop === "aborted")).toBe(true);
  // Each mode gets its own thinking back, as its vendor gave it, and none of another's.
  for (const mode of all) {
    const body = JSON.stringify(mode.provider.project(conversation.request(mode)).body);
    const own = conversation.marks.filter(
      ({ kind, provider }) => kind === "thinking" && provider === mode.provider.name,
    );
    expect(own.length).toBeGreaterThan(0);
    const isGivenBack = own.every(({ word }) => body.includes(word));
    expect({ mode: mode.name, isGivenBack }).toEqual({ mode: mode.name, isGivenBack: mode.name !== "openai-chat" });
  }
});

/** The name under which a mode declares the second tool. */
function wireName(mode: WireModeCase): string {
  const body = JSON.stringify(mode.provider.project({ ...new Conversation().request(mode) }).body);
  const name = /"name":"(mcp[^"]+)"/.exec(body)?.[1];
  if (name === undefined) throw new Error("the tool is not declared");
  return name;
}
