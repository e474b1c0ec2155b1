// The least a program needs to print a streamed answer by the vendor's own SDK: the measure for a stream.
// node bare-sdk.mjs openai-chat URL
const [, , api, url] = process.argv;
const messages = [{ role: "user", content: "hi" }];
const print = (text) => void process.stdout.write(text);

if (api === "anthropic-messages") {
  const { default: Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0 });
  const events = await client.messages.create({ model: "m", max_tokens: 99, messages, stream: true });
  for await (const event of events) if (event.type === "content_block_delta") print(event.delta.text);
} else {
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });
  if (api === "openai-chat") {
    const chunks = await client.chat.completions.create({ model: "m", messages, stream: true });
    for await (const chunk of chunks) print(chunk.choices[0]?.delta.content ?? "");
  } else {
    const events = await client.responses.create({ model: "m", input: messages, stream: true });
    for await (const event of events) if (event.type === "response.output_text.delta") print(event.delta);
  }
}
print("\n");
