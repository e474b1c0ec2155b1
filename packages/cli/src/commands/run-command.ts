import { QuireError } from "@quire/core";
import type { Invocation } from "../args/parse-arguments.js";
import type { ExitCode } from "../exit-code.js";
import type { Launch } from "../launch.js";
import { DiagnosticSink } from "../output/diagnostic-sink.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import type { Streams } from "../output/streams.js";
import { json, type CommandContext } from "./command-context.js";

type Run = (context: CommandContext) => Promise<ExitCode>;

/** By its words, or the first of them; each is loaded when it is typed. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  prompt: async () => (await import("./prompt.js")).promptCommand,
  "prompt rebase": async () => (await import("./rebase.js")).rebaseCommand,
  "sections check": async () => (await import("./check-sections.js")).checkSectionsCommand,
  sections: async () => (await import("./sections.js")).sectionsCommand,
  skills: async () => (await import("./skills.js")).skillsCommand,
  commands: async () => (await import("./command-files.js")).commandsCommand,
  list: async () => (await import("./list.js")).listCommand,
  config: async () => (await import("./config.js")).configCommand,
  session: async () => (await import("./session.js")).sessionCommand,
  doctor: async () => (await import("./doctor.js")).doctorCommand,
};

/** Runs a subcommand. With `--strict` an error diagnostic makes it fail even when it has a result. */
export async function runCommand(
  launch: Launch,
  invocation: Extract<Invocation, { readonly kind: "command" }>,
  streams: Streams,
  signal: AbortSignal,
): Promise<ExitCode> {
  const sink = new DiagnosticSink((line) => streams.err.write(`${line}\n`));
  const { path, operands, options, flags } = invocation;
  const load = commands[path] ?? commands[path.split(" ")[0] ?? path];
  if (load === undefined) throw new Error(`no command for ${path}`);
  try {
    const run = await load();
    const code = await run({ launch, path, operands, options, flags, streams, sink, signal });
    if (signal.aborted) return 130;
    return code === 0 && flags.strict && sink.hasErrors ? 1 : code;
  } catch (error) {
    if (options.json && QuireError.is(error)) {
      const diagnostics = [...sink.all, error.diagnostic].map(plainDiagnostic);
      streams.out.write(json({ error: plainDiagnostic(error.diagnostic), diagnostics }));
    }
    throw error;
  }
}
