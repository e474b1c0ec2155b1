import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, type Diagnostic } from "@quire/core";
import { nearest } from "@quire/core/host";
import { chooseModel } from "../choose-model.js";
import { variantsOf } from "../check/circumstances.js";
import { judgeSections, type Seen, type Verdict } from "../check/judge.js";
import { marksOf } from "../check/leaks.js";
import { lookAt } from "../check/look.js";
import type { ExitCode } from "../exit-code.js";
import { count } from "../output/count.js";
import { diagnosticLine } from "../output/diagnostic-sink.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import { table } from "../output/table.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { withHost } from "./with-host.js";

/** `agent sections check [NAME…]`: holds sections to their cache tags. Exit code 1 when one breaks its own. */
export function checkSectionsCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    const wanted = context.operands;
    const { seen, names, marks } = await lookEverywhere(started, context);
    const known = [
      ...started.host.sections.map(({ name }) => name),
      ...seen.flatMap(({ looks }) => [...looks.before.sections.keys(), ...looks.before.leftOut]),
    ];
    for (const name of wanted) refuseUnknown(name, known);
    const verdicts = judgeSections(seen, marks).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    const absent = wanted.filter((name) => verdicts.every((verdict) => verdict.name !== name));
    const findings = verdicts.flatMap((verdict) => verdict.findings);
    printResult(
      context,
      {
        sections: [
          ...verdicts.map(({ name, plugin, cache, scope, findings: own }) => {
            return { name, plugin, cache, scope, verdict: verdictOf(own), findings: own.map(plainDiagnostic) };
          }),
          ...absent.map((name) => ({ name, verdict: "absent", findings: [] })),
        ],
        circumstances: names,
      },
      report(verdicts, absent, names.length),
    );
    return findings.length === 0 ? 0 : 1;
  });
}

async function lookEverywhere(started: Started, { flags }: CommandContext) {
  const { host: options, place, config } = started.loaded;
  const environment = options.environment?.() ?? {};
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quire-check-")));
  try {
    const variants = variantsOf(environment, folder);
    const base = variants[0]?.circumstances ?? { offsetMs: 0, environment, model: "own", tools: "all" };
    for (const name of ["project", "home"]) mkdirSync(join(folder, name));
    const model = flags.model ?? configuredModel(started, config.merged["model"]);
    const seen: Seen[] = [];
    for (const variant of variants) {
      seen.push({ variant, looks: await lookAt(options, place.cwd, model, base, variant) });
    }
    const marks = marksOf(place, realpathSync(tmpdir()), new Date());
    return { seen, names: variants.map(({ name }) => name), marks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Config chooses by itself; without it the first provider that can be used. */
function configuredModel({ host }: Started, model: unknown): string | undefined {
  if (typeof model === "string") return undefined;
  return chooseModel(host.providers, (name) => process.env[name])?.model;
}

function verdictOf(findings: readonly Diagnostic[]): string {
  return findings.length === 0 ? "ok" : [...new Set(findings.map(({ code }) => code))].join(", ");
}

function report(verdicts: readonly Verdict[], absent: readonly string[], circumstances: number): string {
  const rows = verdicts.map(({ name, plugin, cache, scope, findings }) => [
    name,
    cache === "memoized" && scope === "global" ? "memoized, global" : cache,
    plugin,
    verdictOf(findings),
  ]);
  const missing = absent.map((name) => [name, "", "", "not in the prompt"]);
  const lines = verdicts.flatMap(({ findings }) => findings.map((finding) => `${diagnosticLine(finding)}\n`));
  const faults = lines.length === 0 ? "no fault" : count(lines.length, "fault");
  return [
    table([["section", "tag", "written by", "verdict"], ...rows, ...missing]),
    lines.length === 0 ? "" : "\n",
    ...lines,
    `\n${count(verdicts.length, "section")} in ${count(circumstances, "circumstance")}: ${faults}\n`,
  ].join("");
}

function refuseUnknown(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const near = nearest(name, names);
  throw new ConfigError({
    code: "section-unknown",
    level: "error",
    message: `No section is called "${name}"`,
    fix: near === undefined ? "`agent sections list` shows all" : `Did you mean "${near}"?`,
  });
}
