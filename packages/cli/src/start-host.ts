import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Attrs } from "@quire/core";
import { createHost, type Host } from "@quire/core/host";
import { load, type Loaded } from "@quire/loader";
import type { Flags } from "./args/flags.js";
import { toLoadFlags } from "./args/load-flags.js";
import { builtins } from "./builtins.js";
import { openCrashNote, readCrashNotes } from "./crash-note.js";
import type { Launch } from "./launch.js";
import type { DiagnosticSink } from "./output/diagnostic-sink.js";

/** Somebody at a terminal, who can be asked. */
export interface Asking {
  ask(question: string): Promise<string | null>;
  confirmTrust(what: readonly string[]): Promise<boolean>;
}

export interface Started {
  readonly loaded: Loaded;
  readonly host: Host;
  /** Ends the plugins and everything that was opened. */
  close(): Promise<void>;
}

/** Config, plugins and files of this start, without a host. */
export function loadAll(launch: Launch, flags: Flags, asking?: Asking): Promise<Loaded> {
  const typedAt = process.cwd();
  return load({
    cwd: flags.cwd === undefined ? typedAt : resolve(typedAt, flags.cwd),
    typedAt,
    home: homedir(),
    environment: environment(),
    version: launch.version,
    builtins,
    flags: toLoadFlags(
      flags,
      builtins.map(({ name }) => name),
    ),
    importModule: launch.importModule,
    ...(asking !== undefined && { confirmTrust: asking.confirmTrust }),
  });
}

/**
 * Loads and builds the host. What is found on the way goes to `sink`; a plugin that fails is one of those findings.
 * @throws {ConfigError} Config or a flag is wrong.
 */
export async function startHost(launch: Launch, flags: Flags, sink: DiagnosticSink, asking?: Asking): Promise<Started> {
  const loaded = await loadAll(launch, flags, asking);
  const cache = join(loaded.place.quireHome, "cache");
  for (const diagnostic of [...readCrashNotes(cache), ...loaded.diagnostics]) sink.report(diagnostic);
  const note = openCrashNote(cache, process.pid);
  process.once("exit", note.close);
  const host = await createHost({
    ...loaded.host,
    ...(asking !== undefined && { ask: asking.ask }),
    entering: note.entering,
    onDiagnostic: sink.report,
    strict: flags.strict,
  });
  for (const diagnostic of host.diagnostics) sink.report(diagnostic);
  return {
    loaded,
    host,
    close: async () => {
      await host.dispose();
      note.close();
    },
  };
}

function environment(): Attrs {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Attrs;
}
