import type { Attrs, Config, Place } from "./place.js";
import type { JsonSchema } from "./standard-schema.js";
import type { Message, ModelRef, StreamEvent, Usage } from "./message.js";
import type { Region } from "./layout.js";

/** Speaks to one model vendor: projects a request to the vendor's body, then streams events. */
export interface ProviderSpec {
  /** The part before the slash in `--model`. */
  readonly name: string;
  /** Wire mode: `anthropic-messages`, `openai-chat`, … */
  readonly api: string;
  /** The model of `--model <name>` alone. */
  readonly defaultModel?: string;
  /** Environment variables that hold its secrets: hidden from prompts, tools and children. */
  readonly secrets?: readonly string[];
  /**
   * Whether it can be used without further set-up, for a start that names no model. The first in plugin order wins.
   * @param place `env` reads secrets here.
   */
  available?(place: Pick<Place, "env">): boolean;
  /** The endpoint's own list; may use the network. */
  models?(signal: AbortSignal): Promise<readonly Model[]>;
  caps(model: string): Caps;
  /** Pure: equal requests give equal bodies. Places the cache marks too. Holds no secret. */
  project(request: ProviderRequest): WireRequest;
  /**
   * Sends the request, secrets added, once: retries are the host's.
   * @throws {ProviderError} Its `failure` says what the vendor answered.
   */
  stream(wire: WireRequest, signal: AbortSignal): AsyncIterable<StreamEvent>;
}

export interface Model {
  readonly id: string;
  readonly usdPerMillion?: Usage;
}

export interface Caps {
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly images: boolean;
  /** The role a context message travels in. */
  readonly contextRole: "system" | "developer" | "user";
  /** `read` and `write` are factors of the input price. */
  readonly cache: { readonly ttlSeconds: number; readonly read: number; readonly write: number };
}

/** One call of the model in neutral form. */
export interface ProviderRequest {
  readonly model: ModelRef;
  readonly system: { readonly text: string; readonly regions: readonly Region[] };
  readonly tools: readonly { readonly name: string; readonly description: string; readonly input: JsonSchema }[];
  readonly messages: readonly Message[];
  /** Goes after the last cache mark; never stored. Empty for none. */
  readonly tail: string;
  readonly cacheKey: string;
  /** `maxTokens`, `effort`, `temperature`, … */
  readonly params: Config;
}

export interface WireRequest {
  readonly url: string;
  readonly headers: Attrs;
  readonly body: unknown;
}

export interface ProviderFailure {
  readonly error: Error;
  /** HTTP status, when the vendor answered at all. */
  readonly status?: number;
  /** What the vendor asked for. */
  readonly retryAfterMs?: number;
  /** Failed attempts of this request by this model so far, this one included. */
  readonly attempt: number;
  /** What the host does when no plugin decides. */
  readonly planned: RetryDecision;
}

/** `model` (`provider/model`): another one goes on with the turn; the next turn begins with the session's own again. */
export type RetryDecision =
  { readonly retry: false } | { readonly retry: true; readonly delayMs: number; readonly model?: string };
