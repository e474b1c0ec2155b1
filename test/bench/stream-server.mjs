import { createServer } from "node:http";

/**
 * Answers every request with a streamed text in the vendor's own events.
 * @param {{ events: number, eventBytes: number }} size Of the text; a short one below `/short`.
 */
export async function startStreamServer({ events, eventBytes }) {
  const whole = bodies(events, eventBytes);
  const short = bodies(1, eventBytes);
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const isShort = request.url.startsWith("/short");
      const path = (isShort ? request.url.slice("/short".length) : request.url).split("?")[0];
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      void send(response, (isShort ? short : whole)[path] ?? []);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Each event is a write of its own, as it is with a model that speaks. */
async function send(response, texts) {
  for (const text of texts) {
    if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}

/** By path, the events as they travel. */
function bodies(events, eventBytes) {
  const deltas = Array.from({ length: events }, (_, index) => `${String(index).padStart(eventBytes - 1, "word ")}\n`);
  const usage = { input_tokens: 1, output_tokens: events };
  const text = deltas.join("");
  return {
    "/v1/messages": [
      named({
        type: "message_start",
        message: { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage },
      }),
      named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      ...deltas.map((delta) =>
        named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: delta } }),
      ),
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }),
      named({ type: "message_stop" }),
    ],
    "/v1/chat/completions": [
      ...deltas.map((content) => chunk({ index: 0, delta: { content }, finish_reason: null })),
      chunk({ index: 0, delta: {}, finish_reason: "stop" }),
      "data: [DONE]\n\n",
    ],
    "/v1/responses": [
      named({ type: "response.created", response: response("in_progress", [], usage) }),
      named({ type: "response.output_item.added", output_index: 0, item: message("") }),
      ...deltas.map((delta) =>
        named({ type: "response.output_text.delta", item_id: "i", output_index: 0, content_index: 0, delta }),
      ),
      named({ type: "response.output_item.done", output_index: 0, item: message(text) }),
      named({ type: "response.completed", response: response("completed", [message(text)], usage) }),
    ],
  };
}

function named(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function chunk(choice) {
  const data = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] };
  return `data: ${JSON.stringify(data)}\n\n`;
}

function message(text) {
  const content = text === "" ? [] : [{ type: "output_text", text, annotations: [] }];
  return { id: "i", type: "message", role: "assistant", status: "completed", content };
}

function response(status, output, usage) {
  return { id: "r", object: "response", created_at: 1, model: "m", status, output, usage };
}
