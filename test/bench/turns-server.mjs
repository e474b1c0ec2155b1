/** A vendor in a process of its own, so that its work is not counted. Prints its URL; ends with its input. */
import { createServer } from "node:http";

const words = Array.from({ length: 20 }, (_, index) => `Sentence ${index} of this answer. `);
const usage = { input_tokens: 1, output_tokens: 1 };
const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
const anthropic = [
  { type: "message_start", message },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...words.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const chunk = (choice) => ({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [choice] });
const openai = [
  ...words.map((content) => chunk({ index: 0, delta: { content }, finish_reason: null })),
  chunk({ index: 0, delta: {}, finish_reason: "stop" }),
].map((event) => `data: ${JSON.stringify(event)}\n\n`);
const answers = { "/v1/messages": anthropic.join(""), "/v1/chat/completions": `${openai.join("")}data: [DONE]\n\n` };

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answers[request.url.split("?")[0]] ?? "{}");
  });
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.resume().on("end", () => process.exit(0));
