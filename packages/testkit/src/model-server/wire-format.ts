import type { Config } from "@quire/core";
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
  /** Why the vendor would refuse the body with status 400; undefined when it would take it. */
  refusal(body: Config): string | undefined;
  /** The events of a streamed answer. `id` is unique for the request. */
  events(reply: Reply, body: Config, id: string): readonly WireEvent[];
  /** The body of an answer that is not streamed. */
  whole(reply: Reply, body: Config, id: string): unknown;
  /** The body of an error. */
  error(status: number, message: string): unknown;
}
