import { formatDiagnostic } from "@quire/core";
import { builtins } from "../builtins.js";
import { chooseModel } from "../choose-model.js";
import type { ExitCode } from "../exit-code.js";
import { localModels } from "../models/local-model.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import { table } from "../output/table.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { listProviders } from "./list.js";
import { presetOf } from "./preset-of.js";
import { tryPrompt, withHost } from "./with-host.js";

/** `agent doctor`: what is loaded, what failed, what is off and how to mend it. Fails when something is broken. */
export function doctorCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    await tryPrompt(started, context);
    const report = { ...examine(started, context), local_models: await localModels(started.host.providers) };
    printResult(context, report, toText(report, context));
    return context.sink.hasErrors ? 1 : 0;
  });
}

type Report = ReturnType<typeof examine> & { readonly local_models: readonly string[] };

function examine(started: Started, { launch, sink }: CommandContext) {
  const { host, loaded } = started;
  const { merged } = loaded.config;
  const named = merged["model"];
  const running = new Set(host.plugins.map(({ name }) => name));
  return {
    version: launch.version,
    build: launch.build.slice(0, 12),
    node: process.version,
    platform: `${process.platform} (${process.arch})`,
    platform_tested: process.platform === "linux" || process.platform === "darwin",
    quire_home: loaded.place.quireHome,
    project_root: loaded.place.projectRoot,
    trusted: loaded.place.trusted,
    config_files: loaded.config.files.filter(({ used }) => used).map(({ file }) => file),
    preset: presetOf(started),
    model:
      typeof named === "string" ? named : (chooseModel(host.providers, (name) => process.env[name])?.model ?? null),
    plugins: host.plugins.map(({ name, version, tier, file }) => ({ name, version, tier, file: file ?? null })),
    plugins_off: [...builtins.map(({ name }) => name), ...loaded.notLoaded].filter((name) => !running.has(name)),
    untrusted: loaded.untrusted,
    providers: listProviders(host.providers, merged).items,
    tools: host.tools.map(({ name, off }) => ({ name, off: off ?? null })),
    shell_sandboxed: false,
    failed: sink.all.filter(({ level }) => level === "error").map(plainDiagnostic),
  };
}

function toText(report: Report, { sink }: CommandContext): string {
  const facts: [string, string][] = [
    ["quire", `${report.version} (build ${report.build})`],
    ["node", `${report.node}, ${report.platform}${report.platform_tested ? "" : ", which is untested"}`],
    ["home", report.quire_home],
    ["project", `${report.project_root} (${report.trusted ? "trusted" : "not trusted"})`],
    ["config", report.config_files.join(", ") || "none, the defaults hold"],
    ["preset", report.preset],
    ["model", report.model ?? "none"],
    ["local", report.local_models.join(", ") || "no model server on its usual port"],
    ["shell", "not sandboxed: a command that is allowed runs with your rights"],
  ];
  const plugins = report.plugins.map(({ name, version, tier, file }) => [`  ${name}`, version, tier, file ?? ""]);
  const off = report.plugins_off.map((name) => [`  ${name}`, "off"]);
  const providers = listRows(report);
  const tools = report.tools.flatMap(({ name, off: why }) => (why === null ? [name] : []));
  const whys = [...new Set(report.tools.map(({ off: why }) => why))].filter((why) => why !== null);
  const toolsOff = whys.map((why) => {
    const names = report.tools.filter((tool) => tool.off === why).map(({ name }) => name);
    return `  off (${why}): ${names.join(", ")}\n`;
  });
  const findings = sink.all.map((diagnostic) => `  ${diagnostic.level}: ${formatDiagnostic(diagnostic)}\n`);
  return [
    table(facts),
    `\nplugins\n${table([...plugins, ...off])}`,
    `\nproviders\n${table(providers)}`,
    `\ntools\n  ${tools.join(", ") || "none"}\n${toolsOff.join("")}`,
    report.untrusted.length === 0
      ? ""
      : `\nnot loaded without trust\n${report.untrusted.map((line) => `  ${line}\n`).join("")}`,
    `\nfindings\n${findings.join("") || "  none\n"}`,
  ].join("");
}

function listRows(report: Report): readonly (readonly string[])[] {
  return report.providers.map(({ name, api, ready, keys }) => {
    const state = ready ? "ready" : keys.length > 0 ? `set ${keys.join(" or ")}` : "not set up";
    return [`  ${name}`, api, state];
  });
}
