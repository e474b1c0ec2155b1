import { ConfigError } from "@quire/core";
import type { ProfileChoice } from "@quire/loader";

export type OutputFormat = "text" | "json" | "stream-json";

/** The flags as typed values. Paths are as typed. */
export interface Flags {
  readonly print: boolean;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: "text" | "stream-json";
  readonly model?: string;
  readonly preset?: string;
  readonly layout?: string;
  readonly cwd?: string;
  readonly config?: string;
  readonly plugins: readonly string[];
  readonly noPlugins: readonly string[];
  /** The value is still raw: a text or `@FILE`. */
  readonly sections: readonly { readonly name: string; readonly value: string }[];
  readonly noSections: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompts: readonly string[];
  readonly instructions?: string;
  readonly contextFiles: boolean;
  readonly skills: boolean;
  readonly commands: boolean;
  /** Command files and folders of them. */
  readonly commandFiles: readonly string[];
  /** The profile to work as. */
  readonly profile?: ProfileChoice;
  readonly tools?: readonly string[];
  readonly permissionMode?: string;
  readonly trust: boolean;
  readonly strict: boolean;
  /** Which stored session to go on with. */
  readonly session: SessionChoice;
  readonly persist: boolean;
}

export type SessionChoice =
  { readonly kind: "new" } | { readonly kind: "continue" } | { readonly kind: "resume" | "fork"; readonly id: string };

/** @param values By flag name, as commander collected them. */
export function readFlags(values: Readonly<Record<string, unknown>>): Flags {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const list = (name: string) =>
    Array.isArray(values[name]) ? values[name].filter((value) => typeof value === "string") : [];
  const on = (name: string) => values[name] === true;
  const optional = <K extends string>(key: K, name: string) => {
    const value = text(name);
    return (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: string };
  };
  const tools = text("tools");
  const agent = text("agent");
  return {
    print: on("print"),
    outputFormat: (text("output-format") as OutputFormat | undefined) ?? "text",
    inputFormat: text("input-format") === "stream-json" ? "stream-json" : "text",
    ...optional("model", "model"),
    ...optional("preset", "preset"),
    ...optional("layout", "layout"),
    ...optional("cwd", "cwd"),
    ...optional("config", "config"),
    ...optional("systemPrompt", "system-prompt"),
    ...optional("instructions", "instructions"),
    ...optional("permissionMode", "permission-mode"),
    plugins: list("plugin"),
    noPlugins: list("no-plugin"),
    sections: list("section").map(sectionFlag),
    noSections: list("no-section"),
    appendSystemPrompts: list("append-system-prompt"),
    contextFiles: !on("no-context-files"),
    skills: !on("no-skills"),
    commands: !on("no-commands"),
    commandFiles: list("command"),
    ...(agent !== undefined && { profile: { name: agent, audience: "main" } }),
    ...(tools !== undefined && {
      tools: tools
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    }),
    trust: on("trust"),
    strict: on("strict"),
    session: sessionChoice(on("continue"), text("resume"), text("fork")),
    persist: !on("no-session"),
  };
}

function sectionFlag(value: string): { name: string; value: string } {
  const at = value.indexOf("=");
  if (at > 0) return { name: value.slice(0, at), value: value.slice(at + 1) };
  throw new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: `--section got "${value}" and wants NAME=TEXT or NAME=@FILE`,
    fix: `For example: --section base/identity="You are terse."`,
  });
}

function sessionChoice(next: boolean, resume: string | undefined, fork: string | undefined): SessionChoice {
  if (Number(next) + Number(resume !== undefined) + Number(fork !== undefined) > 1) {
    throw new ConfigError({
      code: "arguments-invalid",
      level: "error",
      message: "--continue, --resume and --fork each name a session, and only one can be gone on with",
      fix: "Keep one of them",
    });
  }
  if (resume !== undefined) return { kind: "resume", id: sessionId("resume", resume) };
  if (fork !== undefined) return { kind: "fork", id: sessionId("fork", fork) };
  return { kind: next ? "continue" : "new" };
}

/** @throws {ConfigError} The id was left out, and the next flag was taken for it. */
function sessionId(flag: string, value: string): string {
  if (!value.startsWith("-")) return value;
  throw new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: `--${flag} wants the id of a session and got "${value}"`,
    fix: "`agent session list` shows the ids; --continue takes the newest",
  });
}
