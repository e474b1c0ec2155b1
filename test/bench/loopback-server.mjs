import { createServer } from "node:http";

/** Answers every request at once with a short streamed answer, and tells when a request was there in whole. */
export async function startServer() {
  let heard = () => {};
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      heard(performance.now());
      const answer = answers[request.url] ?? "{}";
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.end(answer);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    nextRequest: () => new Promise((resolve) => (heard = resolve)),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const usage = { input_tokens: 1, output_tokens: 1 };
const anthropic = [
  {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
];
const chunk = (choice) => ({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] });
const openai = [
  chunk({ index: 0, delta: { role: "assistant", content: "hello" }, finish_reason: null }),
  chunk({ index: 0, delta: {}, finish_reason: "stop" }),
];
const answers = {
  "/v1/messages": anthropic.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  "/v1/messages?beta=true": "",
  "/v1/chat/completions": `${openai.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`,
};
answers["/v1/messages?beta=true"] = answers["/v1/messages"];
