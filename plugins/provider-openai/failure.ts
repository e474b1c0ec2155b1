import { ProviderError } from "@quire/core";
import { isVendorUrl } from "./settings.js";
import { isContextOverflow, isRoleRefused } from "./wire/refusals.js";

/** What a failure's message speaks of. */
export interface FailureContext {
  /** The provider's name. */
  readonly provider: string;
  readonly url: string;
  readonly model: string;
  /** Environment variable of the key. */
  readonly keyName: string;
  /** The wire mode. */
  readonly api: string;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
  /** Whether a proxy is set. */
  readonly hasProxy?: boolean;
  /** Whether the body holds a system text in mid-conversation. */
  readonly hasLateRole?: boolean;
}

/**
 * A failed request as the one error the host knows. The SDK's own error is not kept as a cause: it can hold what the
 * server echoed, the key included.
 */
export function toProviderError(error: unknown, context: FailureContext): ProviderError {
  const status = statusOf(error);
  const said = redact(vendorMessage(error), context.secrets);
  if (status === undefined && !/^https?:\/\/[^/]/.test(context.url)) {
    return new ProviderError(
      {
        code: "provider-url-invalid",
        level: "error",
        message: `${context.provider} has the base URL ${context.url}, which is none`,
        fix: "Begin it with http:// or https://: OPENAI_BASE_URL, or base_url in config",
      },
      // Nothing was asked, and asking again would change nothing.
      { status: 0 },
    );
  }
  if (status === undefined) {
    const broken = isSyntaxError(error) ? `sent an event that is no JSON: ${said}` : `broke off: ${said}`;
    return new ProviderError({
      code: "provider-connection",
      level: "error",
      message: `${context.provider} (${hostOf(context.url)}) ${broken}`,
      fix: `Check the network${context.hasProxy === true ? ", the proxy" : ""} and the base URL, then try again`,
    });
  }
  const retryAfterMs = retryAfter(error);
  const answered = `${context.provider} answered ${status}${said === "" ? "" : `: ${said}`}`;
  const refusal = { status, said: `${codesOf(error)} ${said}` };
  if (isContextOverflow(refusal)) {
    const message = `The request is larger than the context of ${context.model}: ${answered}`;
    const fix = "Use /compact, start a new session, or choose a model with a larger context";
    return new ProviderError({ code: "context-overflow", level: "error", message, fix }, { status });
  }
  const isRole = isRoleRefused(refusal, context.hasLateRole === true);
  return new ProviderError(
    {
      code: isRole ? "context-role-refused" : "provider-refused",
      level: "error",
      message: answered,
      fix: fixFor(status, error, context),
    },
    { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  );
}

/** The text without any of the secrets. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret.length > 5).reduce((kept, secret) => kept.replaceAll(secret, "[key]"), text);
}

function fixFor(status: number, error: unknown, { keyName, model, api, url }: FailureContext): string {
  if (fieldsOf(error)["code"] === "insufficient_quota") return "Check the account's credit";
  if (status === 401) return `Set ${keyName} to a valid key`;
  if (status === 402) return "Check the account's credit";
  if (status === 403) return `Check that the key in ${keyName} may use ${model}`;
  if ((status === 404 || status === 405) && api === "openai-responses" && !isVendorUrl(url)) {
    return `Check the model ${model} and the base URL${missingVersion(url)}; for a server without the Responses API use --model openai-chat/${model}`;
  }
  if (status === 404)
    return `Check the model ${model} and the base URL${missingVersion(url)}; \`agent list models\` shows what there is`;
  if (status === 407) return "Check the proxy's user name and password";
  if (status === 429) return "Wait, or choose another model with --model";
  if (status >= 500) return "Try again later, or choose another model with --model";
  return `Check what is sent with \`agent prompt --wire\` and the model ${model}`;
}

/** Most servers serve their API below `/v1`, and a base URL holds that part. */
function missingVersion(url: string): string {
  return /\/v\d/.test(url) ? "" : ", which ends in /v1 for most servers";
}

/** HTTP status; an error event inside a stream has a type or a code instead, some servers put the status there. */
function statusOf(error: unknown): number | undefined {
  const { status, type, code } = fieldsOf(error);
  if (typeof status === "number") return status;
  if (typeof code === "number") return code;
  return statusByType[String(code)] ?? statusByType[String(type)] ?? proxyStatus(error);
}

/** What a proxy answered in the vendor's place: undici makes an error of it. */
function proxyStatus(error: unknown): number | undefined {
  const said = chainOf(error).join(" ");
  const [, status] = /Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(said) ?? [];
  return status === undefined ? undefined : Number(status);
}

const statusByType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_api_key: 401,
  model_not_found: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  server_error: 500,
  internal_error: 500,
  server_is_overloaded: 503,
  slow_down: 503,
};

/** The vendor's sentence if there is one, else the messages along the chain of causes. */
function vendorMessage(error: unknown): string {
  const { message } = fieldsOf(fieldsOf(error)["error"]);
  const text = typeof message === "string" ? message : chainOf(error).join(": ");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function chainOf(error: unknown): string[] {
  if (!(error instanceof Error)) return typeof error === "string" ? [error] : [];
  const code = fieldsOf(error)["code"];
  const own = error.message === "" && typeof code === "string" ? code : error.message;
  return [own.replace(/\.$/, ""), ...chainOf(error.cause)].filter((text) => text !== "");
}

/** Milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(error: unknown): number | undefined {
  const { headers } = fieldsOf(error);
  if (!(headers instanceof Headers)) return undefined;
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (ms >= 0) return ms;
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = Number(text);
  const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The vendor's own words for what is wrong, at either depth. */
function codesOf(error: unknown): string {
  const [outer, inner] = [fieldsOf(error), fieldsOf(fieldsOf(error)["error"])];
  const codes = [outer["code"], outer["type"], inner["code"], inner["type"]];
  return codes.filter((code) => typeof code === "string").join(" ");
}

function isSyntaxError(error: unknown): boolean {
  return error instanceof SyntaxError;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return typeof error === "object" && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
}
