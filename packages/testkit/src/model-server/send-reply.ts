import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "@quire/core";
import type { Fault, Reply } from "./reply.js";
import type { WireEvent, WireFormat } from "./wire-format.js";

/**
 * Sends a reply as the vendor would, and lets its fault happen.
 * @param onSuccess Called before the last bytes of a whole answer leave.
 */
export async function sendReply(
  response: ServerResponse,
  format: WireFormat,
  reply: Reply,
  request: { readonly body: Config; readonly id: string },
  onSuccess: () => void,
): Promise<void> {
  const { fault } = reply;
  if (fault?.kind === "status") {
    sendStatus(response, format, fault);
    return;
  }
  const isStream = request.body["stream"] === true;
  response.writeHead(200, {
    "content-type": isStream ? "text/event-stream; charset=utf-8" : "application/json",
    "cache-control": "no-cache",
    "request-id": `req_${request.id}`,
    "x-request-id": `req_${request.id}`,
  });
  if (fault?.kind === "empty") {
    response.end();
    return;
  }
  const pieces = isStream
    ? format.events(reply, request.body, request.id).map((event) => noiseOf(reply, format) + eventText(event))
    : wholePieces(JSON.stringify(format.whole(reply, request.body, request.id)));
  const intact = fault === undefined ? pieces.length : Math.min(fault.afterEvents, pieces.length - 1);
  for (const [index, piece] of pieces.slice(0, intact).entries()) {
    if (response.destroyed) return;
    if (reply.delayMs !== undefined) await sleep(reply.delayMs);
    if (fault === undefined && index === pieces.length - 1) onSuccess();
    if (reply.fragmented === true) await writeHalves(response, piece);
    else response.write(piece);
  }
  if (fault === undefined) response.end();
  else if (fault.kind === "error") response.end(eventText(errorEvent(format, fault.status, request)));
  else await breakOff(response, fault, pieces[intact] ?? "");
}

async function writeHalves(response: ServerResponse, piece: string): Promise<void> {
  const bytes = Buffer.from(piece);
  const middle = bytes.length >> 1;
  response.write(bytes.subarray(0, middle));
  await flushed(response);
  response.write(bytes.subarray(middle));
}

function errorEvent(
  format: WireFormat,
  status: number,
  { body, id }: { readonly body: Config; readonly id: string },
): WireEvent {
  return format.errorEvent(status, `The script says ${status} in the middle of an answer`, body, id);
}

function noiseOf({ noise }: Reply, format: WireFormat): string {
  return noise === true ? `: keep-alive\r\n\r\n${eventText(format.unknownEvent)}` : "";
}

function sendStatus(response: ServerResponse, format: WireFormat, fault: Fault & { kind: "status" }): void {
  const { status, retryAfter } = fault;
  response.writeHead(status, {
    "content-type": "application/json",
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  });
  response.end(JSON.stringify(fault.body ?? format.error(status, `The script says ${status}`)));
}

async function breakOff(response: ServerResponse, fault: Fault, next: string): Promise<void> {
  // What was written has to reach the client before the break does.
  await flushed(response);
  if (fault.kind === "reset") response.destroy();
  else if (fault.kind === "malformed") response.end(`${next.trimEnd().slice(0, -4)}\n\n`);
  // A stall leaves the connection as it is until the client, or the server's close, ends it.
}

function flushed(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  return new Promise((resolve) => {
    response.write("", () => setImmediate(resolve));
  });
}

function eventText({ event, data }: WireEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** Three parts, so that a fault can strike inside. */
function wholePieces(text: string): string[] {
  const third = Math.ceil(text.length / 3);
  return [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)];
}
