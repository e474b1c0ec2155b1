import { expect, test } from "vitest";
import { freezeDeep, providerRequest, toolResult, userMessage } from "@quire/testkit";
import type { Block, Message, ProviderRequest } from "@quire/core";
import { openaiTools } from "../tools.js";
import { projectResponses } from "./project.js";
import type { ResponsesOptions } from "./project.js";

const own = { provider: "openai", id: "gpt-5" };
const plain = { provider: "openai", id: "gpt-4.1" };
const other = { provider: "local", id: "gpt-oss:20b" };

function project(parts: Partial<ProviderRequest>, options: Partial<ResponsesOptions> = {}) {
  const request = freezeDeep(providerRequest({ model: own, system: { text: "", regions: [] }, ...parts }));
  const choice = { isVendor: true, isJoined: false, isUserOnly: false, isCodex: false, ...options };
  return projectResponses(request, openaiTools(request.tools, true), choice);
}

function message(role: Message["role"], ...content: Block[]): Message {
  return { id: role, role, content };
}

function text(words: string): Block {
  return { type: "text", text: words };
}

function call(id: string, args = {}): Block {
  return { type: "tool-call", id, name: "read", args };
}

function said(role: "user" | "developer", words: string): object {
  return { type: "message", role, content: [{ type: "input_text", text: words }] };
}

const input = { type: "object", properties: { path: { type: "string" } } };
const tools = [{ name: "read", description: "Reads a file.", input }];

test("MG-56 puts the system text in instructions and the rest in input", () => {
  const system = { text: "You are Quire.\n\nBe kind.\n", regions: [] };
  const messages = [userMessage("one"), message("assistant", text("Yes."), text("Go on.")), userMessage("two")];
  expect(project({ system, messages, params: { maxTokens: 900, effort: "low" }, cacheKey: "k" })).toEqual({
    model: "gpt-5",
    instructions: "You are Quire.\n\nBe kind.\n",
    input: [
      said("user", "one"),
      { type: "message", role: "assistant", content: "Yes." },
      { type: "message", role: "assistant", content: "Go on." },
      said("user", "two"),
    ],
    max_output_tokens: 900,
    reasoning: { effort: "low" },
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "k",
    store: false,
    stream: true,
  });
  expect(project({ messages }, { isVendor: false })).not.toHaveProperty("prompt_cache_key");
  expect(project({})).not.toHaveProperty("instructions");
});

test("MG-57 declares tools flat", () => {
  expect(project({ tools }).tools).toEqual([
    { type: "function", name: "read", description: "Reads a file.", parameters: input, strict: false },
  ]);
  expect(project({})).not.toHaveProperty("tools");
});

test("MG-58 sends Codex the same split, low verbosity, reasoning and parallel calls", () => {
  const system = { text: "You are Quire.", regions: [] };
  const params = { maxTokens: 900, temperature: 0, effort: "high" };
  const codex = { isCodex: true };
  const body = project({ system, tools, params, messages: [userMessage("one")] }, codex);
  expect(body).toMatchObject({
    instructions: "You are Quire.",
    input: [said("user", "one")],
    text: { verbosity: "low" },
    reasoning: { effort: "high", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    parallel_tool_calls: true,
    store: false,
  });
  expect(body).not.toHaveProperty("max_output_tokens");
  expect(project({}, codex)).not.toHaveProperty("parallel_tool_calls");
  expect(project({}, codex).instructions).toBe("");
  // Where the model has none, or takes no other verbosity, the vendor refuses the field.
  expect(project({ model: plain }, codex)).not.toHaveProperty("reasoning");
  expect(project({ model: { ...own, id: "gpt-5.1-codex-max" } }, codex)).not.toHaveProperty("text");
});

test("MG-67 keeps system text out of the user's words: a late one is a developer message, or joins the instructions", () => {
  const system = { text: "Be kind.\n", regions: [] };
  const messages = [
    userMessage("one"),
    message("context", text("Mode is plan.")),
    message("assistant", text("Yes.")),
    message("context", text("Mode is full.")),
    userMessage("two"),
  ];
  const inPlace = project({ system, messages, tail: "Open: two." });
  expect(inPlace.instructions).toBe("Be kind.\n");
  expect(inPlace.input).toEqual([
    said("user", "one"),
    said("developer", "Mode is plan."),
    { type: "message", role: "assistant", content: "Yes." },
    said("developer", "Mode is full."),
    said("user", "two"),
    said("developer", "Open: two."),
  ]);
  const joined = project({ system, messages, tail: "Open: two." }, { isJoined: true });
  expect(joined.instructions).toBe("Be kind.\n\nMode is plan.\n\nMode is full.\n\nOpen: two.");
  expect(JSON.stringify(joined.input)).not.toMatch(/Mode|Open|developer/);
});

test("MG-65 says the same wherever the late text stood, once it is joined", () => {
  const late = message("context", text("Mode is plan."));
  const words = [userMessage("one"), message("assistant", text("Yes.")), userMessage("two")];
  const bodies = [0, 1, 2, 3].map((place) =>
    project({ messages: words.toSpliced(place, 0, late) }, { isJoined: true }),
  );
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  const places = [0, 1, 2, 3].map((place) => JSON.stringify(project({ messages: words.toSpliced(place, 0, late) })));
  expect(new Set(places).size).toBe(4);
});

test("puts each result right behind its call, and invents an error for one that never came", () => {
  const messages = [
    message("assistant", text("Look:"), call("a", { path: "x" }), call("b"), call("c")),
    message("context", text("Mode is plan.")),
    message("tool", toolResult("b", "two")),
    message("tool", toolResult("a", "no such file", true)),
  ];
  expect(project({ tools, messages }).input).toEqual([
    { type: "message", role: "assistant", content: "Look:" },
    { type: "function_call", call_id: "a", name: "read", arguments: '{"path":"x"}' },
    { type: "function_call", call_id: "b", name: "read", arguments: "{}" },
    { type: "function_call", call_id: "c", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "Error: no such file" },
    { type: "function_call_output", call_id: "b", output: "two" },
    { type: "function_call_output", call_id: "c", output: "Error: interrupted" },
    said("developer", "Mode is plan."),
  ]);
});

test("gives encrypted reasoning back to its provider, in front of what it led to", () => {
  const mine = { type: "thinking", text: "hm", signature: "rs_1:c2VjcmV0", provider: "openai" } as const;
  const messages = [
    userMessage("go"),
    message("assistant", mine, { ...mine, text: "", signature: "rs_2:bW9yZQ==" }, call("a")),
    message("tool", toolResult("a", "one")),
    message(
      "assistant",
      { ...mine, provider: "anthropic" },
      { type: "thinking", text: "unsigned", provider: "openai" },
      { ...mine, signature: "a signature of another kind" },
      text("ok"),
      mine,
    ),
    userMessage("on"),
  ];
  const items = project({ tools, messages }).input;
  expect(Array.isArray(items) ? items.filter((item) => item.type === "reasoning") : items).toEqual([
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "c2VjcmV0" },
    { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "bW9yZQ==" },
  ]);
  expect(items?.[3]).toMatchObject({ type: "function_call" });
  expect(JSON.stringify(project({ tools, messages, model: plain }).input)).not.toContain("reasoning");
});

test("leaves images in results where the model can look, and moves them behind the results elsewhere", () => {
  const image = { type: "image", mime: "image/png", base64: "aGk=" } as const;
  const part = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" };
  const messages = [
    message("assistant", call("a"), call("b")),
    message("tool", { ...toolResult("a", "a picture"), content: [text("a picture"), image] }, toolResult("b", "two")),
  ];
  expect(project({ tools, messages }).input?.slice(2)).toEqual([
    { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "a picture" }, part] },
    { type: "function_call_output", call_id: "b", output: "two" },
  ]);
  expect(project({ tools, messages, model: other }).input?.slice(2)).toEqual([
    { type: "function_call_output", call_id: "a", output: "a picture" },
    { type: "function_call_output", call_id: "b", output: "two" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "read:" }, part] },
  ]);
});

test("sends files, and says what it left out", () => {
  const content: Block[] = [
    { type: "image", mime: "image/tiff", base64: "aGk=" },
    { type: "file", mime: "application/pdf", base64: "aGk=", name: "a.pdf" },
    { type: "file", mime: "text/csv", base64: "w6QsMQ==", name: "a.csv" },
    { type: "file", mime: "application/zip", base64: "aGk=", name: "a.zip" },
  ];
  expect(project({ messages: [message("user", ...content)] }).input).toEqual([
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "[left out: image of type image/tiff]" },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" },
        { type: "input_text", text: "a.csv:\nä,1" },
        { type: "input_text", text: "[left out: file a.zip of type application/zip]" },
      ],
    },
  ]);
});

test("shortens long ids, and keeps equal ones apart", () => {
  const long = `toolu_${"x".repeat(80)}`;
  const messages = [long, long, "same", "same"].flatMap((id) => [
    message("assistant", call(id)),
    message("tool", toolResult(id, "one")),
  ]);
  const items = project({ tools, messages }).input;
  const ids = Array.isArray(items)
    ? items.flatMap((item) => (item.type === "function_call" ? [item.call_id] : []))
    : [];
  expect(new Set(ids).size).toBe(4);
  expect(ids.every(({ length }) => length <= 64)).toBe(true);
  expect(ids.slice(2)).toEqual(["same", "same_2"]);
});

test("sends params where the model takes them", () => {
  const params = { maxTokens: 3, temperature: 0, topP: 0.5, effort: "low", summary: "concise", stop: ["x"] };
  expect(project({ params })).toMatchObject({
    max_output_tokens: 16,
    reasoning: { effort: "low", summary: "concise" },
  });
  expect(project({ params })).not.toHaveProperty("temperature");
  expect(project({ params, model: plain })).toMatchObject({ temperature: 0, top_p: 0.5 });
  expect(project({ params, model: plain })).not.toHaveProperty("reasoning");
  expect(project({ params, model: other })).toMatchObject({ temperature: 0, reasoning: { effort: "low" } });
  expect(project({ params })).not.toHaveProperty("stop");
});
