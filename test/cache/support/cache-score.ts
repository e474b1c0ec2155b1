import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** What `test/tools/cache-score.mjs --json` says, as far as tests look at it. */
export interface CacheReport {
  readonly score: number;
  readonly totals: { readonly requests: number; readonly changes: number; readonly busts: number };
  readonly requests: readonly {
    readonly n: number;
    readonly diff: { readonly kind: string; readonly path?: string };
  }[];
}

const script = path.resolve(import.meta.dirname, "../../tools/cache-score.mjs");

/** @param log JSON lines as the scripted model server writes them. */
export function scoreLog(log: string): CacheReport {
  const output = execFileSync(process.execPath, [script, log, "--json"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(output) as CacheReport;
}

/** The bodies of a log, in order. */
export function bodiesOf(log: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { body: Readonly<Record<string, unknown>> }).body);
}
