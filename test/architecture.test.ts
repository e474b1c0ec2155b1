import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import * as core from "@quire/core";
import * as hostDoor from "@quire/core/host";

const root = path.resolve(import.meta.dirname, "..");

interface SourceFile {
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(...patterns: readonly string[]): readonly SourceFile[] {
  return sourceFiles(patterns).map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const imports = [
      ...text.matchAll(
        /(?:^|[\s;}])(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm,
      ),
    ];
    return { file, text, imports: imports.map((match) => match[1] ?? match[2] ?? match[3] ?? "") };
  });
}

function sourceFiles(patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => walk(pattern))
    .filter((file) => !/\.test\.ts$|\/dist\/|node_modules|\/fixtures\//.test(file));
}

function walk(folder: string): readonly string[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return files.map((file) => path.join(folder, file)).filter((file) => file.endsWith(".ts"));
}

/** Lines that are neither blank nor comment; what marks a built file that held types alone is none either. */
function codeLines(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "" && !/^\s*(\/\/|\/?\*)|^export \{\};$/.test(line)).length;
}

function offenders(
  files: readonly SourceFile[],
  isWrong: (imported: string, file: string) => boolean,
): readonly string[] {
  return files.flatMap(({ file, imports }) =>
    imports.filter((name) => isWrong(name, file)).map((name) => `${file} -> ${name}`),
  );
}

const allFolders = ["packages/core/src", "packages/loader/src", "packages/cli/src", "packages/testkit/src", "plugins"];

test("core imports no disk, network, process or other package", () => {
  const allowed = new Set(["tapable", "node:crypto", "node:async_hooks", "node:timers/promises", "node:path", "diff"]);
  expect(offenders(sources("packages/core/src"), (name) => !name.startsWith(".") && !allowed.has(name))).toEqual([]);
  const touching = sources("packages/core/src").filter(({ text }) => /\bprocess\.|\brequire\(/.test(text));
  expect(touching.map(({ file }) => file)).toEqual([]);
});

test("core names no system, vendor or plugin", () => {
  const names = /\b(magi|iota|anthropic|openai|claude|codex|coding-agent|agents-md|AGENTS\.md|SKILL\.md|rehearsal)\b/i;
  const found = sources("packages/core/src").filter(({ text }) => names.test(withoutComments(text)));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test("core has at most 3,500 lines of code, types erased and formatted as the sources are", async () => {
  const config = await resolveConfig(path.join(root, "package.json"));
  const built = sources("packages/core/src").map(({ file }) => file.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
  const texts = built.map((file) =>
    format(readFileSync(path.join(root, file), "utf8"), { ...config, parser: "babel" }),
  );
  const total = (await Promise.all(texts)).reduce((sum, text) => sum + codeLines(text), 0);
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThanOrEqual(3_500);
});

test("no source file has more than 300 lines", () => {
  const long = sources(...allFolders).filter(({ text }) => text.split("\n").length > 301);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test("a plugin's index only wires: fewer than 60 lines", () => {
  const indexes = sources("plugins").filter(({ file }) => /^plugins\/[^/]+\/index\.ts$/.test(file));
  expect(indexes.length).toBeGreaterThanOrEqual(10);
  expect(indexes.filter(({ text }) => text.trimEnd().split("\n").length >= 60).map(({ file }) => file)).toEqual([]);
});

test("plugins see only the front door of core, their own folder and prompt texts", () => {
  const wrong = offenders(sources("plugins"), (name, file) => {
    if (name.startsWith("@quire/")) return name !== "@quire/core";
    if (!name.startsWith(".")) return false;
    const target = path.normalize(path.join(path.dirname(file), name));
    const own = file.split("/").slice(0, 2).join("/");
    return !target.startsWith(`${own}/`) && !target.startsWith("prompts/");
  });
  expect(wrong).toEqual([]);
});

test("imports run cli -> loader, plugins -> core and never back", () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    "packages/core/src": [],
    "packages/loader/src": ["@quire/core", "@quire/core/host"],
    "packages/testkit/src": ["@quire/core", "@quire/core/host", "@quire/loader"],
  };
  for (const [folder, names] of Object.entries(allowed)) {
    expect(offenders(sources(folder), (name) => name.startsWith("@quire/") && !names.includes(name))).toEqual([]);
  }
  for (const folder of allFolders.slice(0, 4)) {
    const leaving = offenders(sources(folder), (name, file) => {
      if (!name.startsWith(".")) return false;
      return !path.normalize(path.join(path.dirname(file), name)).startsWith(folder);
    });
    expect(leaving.filter((line) => !line.includes("prompts/"))).toEqual([]);
  }
});

test("each library has one door", () => {
  const doors: Readonly<Record<string, readonly string[]>> = {
    commander: ["packages/cli/"],
    openai: ["plugins/provider-openai/"],
    "@anthropic-ai/sdk": ["plugins/provider-anthropic/"],
    tapable: ["packages/core/src/hooks/"],
    diff: ["packages/core/src/baseline/"],
    yaml: ["packages/loader/"],
    esbuild: ["packages/loader/"],
    jiti: ["packages/loader/"],
  };
  const wrong = offenders(sources(...allFolders), (name, file) => {
    const library = name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : (name.split("/")[0] ?? name);
    const door = doors[library];
    return door !== undefined && !door.some((folder) => file.startsWith(folder));
  });
  expect(wrong).toEqual([]);
});

test("every index lists its exports by name", () => {
  const starred = sources(...allFolders).filter(
    ({ file, text }) => file.endsWith("index.ts") && /export \*/.test(text),
  );
  expect(starred.map(({ file }) => file)).toEqual([]);
});

test("the public surface of core is a decision", () => {
  expect(Object.keys(core).sort()).toEqual([
    "ConfigError",
    "PluginError",
    "ProviderError",
    "QuireError",
    "ToolError",
    "definePlugin",
    "estimateTokens",
    "formatDiagnostic",
    "messageFormatVersion",
  ]);
  expect(Object.keys(hostDoor).sort()).toEqual([
    "createHost",
    "historyOf",
    "layers",
    "nearest",
    "sha256",
    "standingFields",
    "standingOn",
    "toDiagnostic",
    "wholeBaseline",
  ]);
});

test("only a provider or tool plugin touches the process", () => {
  const touching = sources("plugins").filter(
    ({ file, text }) => !/^plugins\/(provider|tools)-/.test(file) && /\bprocess\./.test(withoutComments(text)),
  );
  expect(touching.map(({ file }) => file)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
}
