import type { Diagnostic, ProviderFailure } from "./index.js";
import { defined } from "./plain-data.js";

const mark = Symbol.for("quire.error");

/** An error that carries a diagnostic: what, where, how to mend. */
export class QuireError extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(formatDiagnostic(diagnostic), diagnostic.cause === undefined ? undefined : { cause: diagnostic.cause });
    this.name = new.target.name;
    this.diagnostic = diagnostic;
    Object.defineProperty(this, mark, { value: true });
  }
  /** Recognises one, also when a second copy of this package made it. */
  static is(error: unknown): error is QuireError {
    return typeof error === "object" && error !== null && mark in error;
  }
}

/** Config, a flag or a file of the user is wrong: exit code 2. */
export class ConfigError extends QuireError {}
/** A plugin broke a rule of the API or failed. */
export class PluginError extends QuireError {}
/** A tool refuses its arguments or its task; the model reads the message. */
export class ToolError extends QuireError {}
/** A request of a model failed. */
export class ProviderError extends QuireError {
  readonly failure: Pick<ProviderFailure, "status" | "retryAfterMs">;
  constructor(diagnostic: Diagnostic, failure: Pick<ProviderFailure, "status" | "retryAfterMs"> = {}) {
    super(diagnostic);
    this.failure = failure;
  }
}

type More = { readonly [Key in Exclude<keyof Diagnostic, "code" | "level" | "message">]?: Diagnostic[Key] | undefined };

/** A diagnostic of one level, from its code, its message and whatever else is known of it. */
const ofLevel =
  (level: Diagnostic["level"]) =>
  (code: string, message: string, more: More = {}): Diagnostic => ({ code, level, message, ...defined(more) });
export const fault = ofLevel("error");
export const warning = ofLevel("warn");
export const notice = ofLevel("info");

export const configError = (...parts: Parameters<typeof fault>): ConfigError => new ConfigError(fault(...parts));
export const pluginError = (...parts: Parameters<typeof fault>): PluginError => new PluginError(fault(...parts));

/** The diagnostic of anything thrown; `code` serves where the thrown value brings none. */
export function toDiagnostic(error: unknown, fallback: Omit<Diagnostic, "message" | "level">): Diagnostic {
  if (QuireError.is(error)) return { ...fallback, ...error.diagnostic };
  return { level: "error", ...fallback, message: messageOf(error), cause: error };
}

/** What a thrown value says, in a few words. */
export function messageOf(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  const message = error instanceof Error ? error.message : String(error);
  return message === "" ? "failed without a message" : message;
}

/** One line of text: `[code] message (file:line). How to mend.` */
export function formatDiagnostic({ code, message, fix = "", at, plugin, hook, section }: Diagnostic): string {
  const who = [plugin, hook, section].filter((part) => part !== undefined);
  const prefix = who.every((part) => message.includes(part)) ? "" : `${who.join(" · ")}: `;
  const place = at?.file === undefined ? "" : ` (${at.file}${at.line === undefined ? "" : `:${at.line}`})`;
  const ended = (text: string) => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);
  return `[${code}] ${prefix}${ended(message + place)} ${ended(fix)}`.trimEnd();
}
