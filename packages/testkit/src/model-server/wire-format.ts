import type { Config } from "@quire/core";
import type { WireApi } from "../wire/wire-rule.js";
import type { Reply } from "./reply.js";

/** One server-sent event. */
export interface WireEvent {
  /** The `event:` line, where the vendor sends one. */
  readonly event?: string;
  /** JSON text, or `[DONE]`. */
  readonly data: string;
}

/** How one vendor puts a reply on the wire. */
export interface WireFormat {
  /** The end of the path that asks for it. */
  readonly path: string;
  /** Whose rules a body is checked by. */
  readonly api: WireApi;
  /** An event of a kind that does not exist yet. */
  readonly unknownEvent: WireEvent;
  /** The events of a streamed answer. `id` is unique for the request. */
  events(reply: Reply, body: Config, id: string): readonly WireEvent[];
  /** The body of an answer that is not streamed. */
  whole(reply: Reply, body: Config, id: string): unknown;
  /** The body of an error. */
  error(status: number, message: string): unknown;
  /** The event that ends an answer which failed after it had begun. */
  errorEvent(status: number, message: string, body: Config, id: string): WireEvent;
}
