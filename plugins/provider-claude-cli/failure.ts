import { ProviderError } from "@quire/core";
import { understand } from "./complaint.js";
import type { Complaint } from "./complaint.js";
import type { Exit } from "./program.js";

/** What a failure's message speaks of. */
export interface FailureContext {
  /** The provider's name. */
  readonly provider: string;
  readonly command: string;
  /** The command with the arguments that config puts behind it: what a person types to start the program. */
  readonly call: string;
  readonly model: string;
  /** Host and port, when it is not the vendor's own. */
  readonly server?: string;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
}

const loginFix = (call: string): string =>
  `Run \`${call}\` once and log in with /login, or set CLAUDE_CODE_OAUTH_TOKEN to what \`${call} setup-token\` gives`;

/** The program could not be started. Not worth a retry. */
export function startFailure(error: unknown, { provider, command }: FailureContext): ProviderError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") {
    return new ProviderError(
      {
        code: "claude-cli-missing",
        level: "error",
        message: `${provider} needs the Claude CLI, and there is no program "${command}"`,
        fix: "Install it with `npm install -g @anthropic-ai/claude-code`, or set claude_cli.command to its absolute path",
      },
      { status: 404 },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ProviderError(
    {
      code: "claude-cli-failed",
      level: "error",
      message: `${provider} could not start "${command}": ${reason}`,
      fix: "Check claude_cli.command, and that the file may be executed",
    },
    { status: 400 },
  );
}

/** The vendor, or the program itself, refused the request. */
export function requestFailure(complaint: Complaint, context: FailureContext): ProviderError {
  const { provider, call } = context;
  const { status, said: words } = understand(complaint);
  const said = clean(words, context.secrets);
  if (isLogin(complaint, status)) {
    return new ProviderError(
      {
        code: "claude-cli-login",
        level: "error",
        message: `${provider} is not logged in: ${said}`,
        fix: loginFix(call),
      },
      { status: status ?? 401 },
    );
  }
  if (/prompt is too long/i.test(said)) {
    return new ProviderError(
      {
        code: "context-overflow",
        level: "error",
        message: `${provider} says that the conversation is longer than the model takes: ${said}`,
        fix: "Shorten it with /compact, or start a new session",
      },
      { status: 400 },
    );
  }
  if (status === undefined) {
    return new ProviderError({
      code: "provider-connection",
      level: "error",
      message: `${provider}${context.server === undefined ? "" : ` (${context.server})`} broke off: ${said}`,
      fix: "Check the network, then try again",
    });
  }
  const { retryAfterMs } = complaint;
  return new ProviderError(
    {
      code: "provider-refused",
      level: "error",
      message: `${provider} answered ${status}${said === "" ? "" : `: ${said}`}`,
      fix: fixFor(status, context.model),
    },
    { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  );
}

/** The program ended, or was ended, before its answer did. */
export function endFailure(exit: Exit, stderr: string, hasBegun: boolean, context: FailureContext): ProviderError {
  const { provider, command, call } = context;
  const how = exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
  const said = clean(stderr, context.secrets);
  const message = `${provider}: the program "${command}" ended with ${how} before its answer was whole`;
  // It never began to ask: another try would end the same way.
  const isSetUp = !hasBegun && exit.signal === null && exit.code !== 0;
  return new ProviderError(
    {
      code: "claude-cli-failed",
      level: "error",
      message: said === "" ? message : `${message}: ${said}`,
      fix: isSetUp ? `Check \`${call} --version\` and update the program` : "Try again",
    },
    isSetUp ? { status: 400 } : {},
  );
}

/** Nothing came for too long. */
export function silenceFailure(limitMs: number, { provider }: FailureContext): ProviderError {
  return new ProviderError({
    code: "provider-silent",
    level: "error",
    message: `${provider} sent nothing for ${limitMs / 1000} s`,
    fix: "Check the network, then try again",
  });
}

/** The program's stream broke a rule. */
export function brokenFailure(error: Error, { provider }: FailureContext): ProviderError {
  return new ProviderError({
    code: "provider-connection",
    level: "error",
    message: `${provider} broke off: ${error.message}`,
    fix: "Try again; if it fails again, update the program",
  });
}

function isLogin({ kind, text }: Complaint, status: number | undefined): boolean {
  return kind === "authentication_failed" || status === 401 || /not logged in|\/login\b/i.test(text);
}

function fixFor(status: number, model: string): string {
  if (status === 402) return "Check the account's subscription";
  if (status === 403) return `Check that the account may use ${model}`;
  if (status === 404) return `Check the model ${model}; \`agent list models\` shows the usual ones`;
  if (status === 429) return "Wait until the limit ends, or choose another model with --model";
  if (status >= 500) return "Try again later, or choose another model with --model";
  return `Check what is sent with \`agent prompt --wire claude-cli\` and the model ${model}`;
}

/** One line of at most 300 characters, without any of the secrets. */
function clean(text: string, secrets: readonly string[]): string {
  const redacted = secrets
    .filter((secret) => secret.length > 5)
    .reduce((kept, secret) => kept.replaceAll(secret, "[key]"), text);
  const line = redacted.replaceAll(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
