import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "@quire/core";
import { anthropicFormat } from "./anthropic-format.js";
import { openaiChatFormat } from "./openai-chat-format.js";
import { openaiCodexFormat, openaiResponsesFormat } from "./openai-responses-format.js";
import { recordOf } from "../narrow.js";
import { validateWire } from "../wire/validate-wire.js";
import { sendReply } from "./send-reply.js";
import type { RecordedRequest, Reply } from "./reply.js";
import type { WireFormat } from "./wire-format.js";

export interface ModelServerOptions {
  /** In the order of the requests, or a function of each. A request beyond the last reply is refused with 400. */
  readonly replies: readonly (Reply | string)[] | ((request: RecordedRequest) => Reply | string);
  /** File that gets one JSON line `{t, path, body, conversation?}` for each answer that was sent whole. */
  readonly log?: string;
  /** Names the conversation of a logged request. */
  conversation?(request: RecordedRequest): string | undefined;
  /** Ids in the list of models. */
  readonly models?: readonly string[];
  /** `owned_by` in that list: by it some servers say what they are (`vllm`, `llamacpp`). */
  readonly owner?: string;
}

/** A model vendor on loopback that says what the script says. */
export interface ModelServer {
  readonly url: string;
  /** For ANTHROPIC_BASE_URL. */
  readonly anthropicUrl: string;
  /** For OPENAI_BASE_URL. */
  readonly openaiUrl: string;
  /** The base URL of Codex Responses, whose rules are stricter. */
  readonly codexUrl: string;
  /** Every request for a reply so far, refused ones too. */
  readonly requests: readonly RecordedRequest[];
  /** Breaks open connections and stops. */
  close(): Promise<void>;
}

const formats = [anthropicFormat, openaiChatFormat, openaiResponsesFormat, openaiCodexFormat];

/**
 * Starts a model server over real HTTP on a free port of loopback: `POST /v1/messages`, `/v1/chat/completions`,
 * `/v1/responses` and `/backend-api/codex/responses`, streamed or whole, and `GET /v1/models`. It refuses a request
 * without a key, and with 400 every body that `validateWire` finds wrong, as the vendors do.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const script = scriptOf(options.replies);
  const server = createServer((incoming, response) => {
    serve(incoming, response, { ...options, script, requests }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "script_error", message: String(error) } }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    anthropicUrl: url,
    openaiUrl: `${url}/v1`,
    codexUrl: `${url}/backend-api/codex`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

interface Running extends ModelServerOptions {
  readonly script: (request: RecordedRequest) => Reply;
  readonly requests: RecordedRequest[];
}

async function serve(incoming: IncomingMessage, response: ServerResponse, options: Running): Promise<void> {
  const t = Date.now();
  const path = (incoming.url ?? "/").split("?")[0] ?? "/";
  if (incoming.method === "GET" && path === "/v1/models") {
    sendJson(response, 200, modelList(options.models ?? ["test-model"], options.owner));
    return;
  }
  const format = formats.find((each) => each.path === path);
  if (incoming.method !== "POST" || format === undefined) {
    sendJson(response, 404, openaiChatFormat.error(404, `Unknown request URL: ${incoming.method} ${path}`));
    return;
  }
  const body = parseBody(await readAll(incoming));
  const index = options.requests.length;
  const request: RecordedRequest = {
    index,
    t,
    path,
    headers: headersOf(incoming),
    body,
    ended: new Promise((resolve) => {
      response.once("close", () => resolve(response.writableFinished ? "complete" : "cut"));
    }),
  };
  options.requests.push(request);
  const reply = refusedReply(request, format) ?? options.script(request);
  if (reply.fault !== undefined) request.fault = isRefusal in reply ? "refused" : reply.fault.kind;
  await sendReply(response, format, reply, { body, id: String(index + 1) }, () => {
    if (options.log === undefined) return;
    const conversation = options.conversation?.(request);
    const line = { t, path, body, ...(conversation === undefined ? {} : { conversation }) };
    appendFileSync(options.log, `${JSON.stringify(line)}\n`);
  });
}

const isRefusal = Symbol("refusal");

function refusedReply(request: RecordedRequest, format: WireFormat): Reply | undefined {
  const hasKey = ["authorization", "x-api-key"].some((name) => (request.headers[name] ?? "") !== "");
  if (!hasKey) return refusedWith(401, format, "No API key was sent");
  const [wrong] = validateWire(format.api, request.body, request.headers);
  return wrong === undefined ? undefined : refusedWith(400, format, wrong.message);
}

function refusedWith(status: number, format: WireFormat, message: string): Reply & { [isRefusal]: true } {
  return { [isRefusal]: true, fault: { kind: "status", status, body: format.error(status, message) } };
}

/** A refused request takes no reply from the list. */
function scriptOf(replies: ModelServerOptions["replies"]): (request: RecordedRequest) => Reply {
  let taken = 0;
  return (request) => {
    const reply = typeof replies === "function" ? replies(request) : replies[taken];
    taken += 1;
    if (reply !== undefined) return typeof reply === "string" ? { text: reply } : reply;
    const message = `The script holds ${replies.length} replies; this is number ${taken}`;
    return {
      fault: { kind: "status", status: 400, body: { type: "error", error: { type: "script", message } } },
    };
  };
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

/** A body that is no JSON counts as an empty one, which the vendors' rules refuse. */
function parseBody(text: string): Config {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** One list for both vendors: each reads the fields it knows. */
function modelList(ids: readonly string[], owner = "testkit"): unknown {
  const created = "2026-01-01T00:00:00Z";
  return {
    object: "list",
    data: ids.map((id) => ({
      id,
      type: "model",
      object: "model",
      display_name: id,
      created_at: created,
      created: Date.parse(created) / 1000,
      owned_by: owner,
    })),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  };
}
