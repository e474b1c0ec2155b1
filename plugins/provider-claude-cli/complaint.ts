/** What the program said of a request that failed. */
export interface Complaint {
  /** Its sentence for the user. */
  readonly text: string;
  /** Its word for the kind of failure, such as `rate_limit`. */
  readonly kind: string | undefined;
  /** HTTP status of the vendor's answer. */
  readonly status: number | undefined;
  /** Milliseconds until the subscription's limit ends. */
  readonly retryAfterMs: number | undefined;
}

/** Words of the program (seen in 2.1.112 and 2.1.332), and the vendor's in its errors. */
const statusByWord: Readonly<Record<string, number>> = {
  authentication_failed: 401,
  billing_error: 402,
  oauth_org_not_allowed: 403,
  model_not_found: 404,
  invalid_request: 400,
  rate_limit: 429,
  overloaded: 529,
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * The HTTP status that a complaint amounts to, and what the vendor said in it. The program shows the vendor's error as
 * JSON at times, and then alone says what kind it is.
 * @returns Without a status when the connection broke.
 */
export function understand({ text, kind, status }: Complaint): { readonly status?: number; readonly said: string } {
  const error = vendorError(text);
  const found = status ?? statusByWord[kind ?? ""] ?? statusByWord[error?.type ?? ""];
  return { said: error?.message ?? text, ...(found === undefined ? {} : { status: found }) };
}

/** The vendor's `{"type":"error","error":{"type":…,"message":…}}` inside a text. */
function vendorError(text: string): { readonly type: string; readonly message: string } | undefined {
  const found = /\{"type":"error".*\}/s.exec(text);
  if (found === null) return undefined;
  try {
    const { error } = JSON.parse(found[0]) as {
      readonly error?: { readonly type?: unknown; readonly message?: unknown };
    };
    const { type, message } = error ?? {};
    return typeof type === "string" && typeof message === "string" ? { type, message } : undefined;
  } catch {
    return undefined;
  }
}
