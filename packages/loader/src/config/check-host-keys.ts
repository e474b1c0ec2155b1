import type { Config, Diagnostic } from "@quire/core";
import { nearest } from "@quire/core/host";
import type * as z from "zod";
import { isRecord } from "../record.js";
import { allFaults } from "./all-faults.js";
import { nestedKeys } from "./known-keys.js";
import type { YamlFile } from "./yaml-file.js";

/**
 * Checks the keys of config that belong to the host; keys of plugins pass.
 * @param source The config and, when it comes from a file, the lines of its keys.
 * @throws {ConfigError} `config-invalid` for the first fault, which names the others: what was seen, what is wanted, the nearest valid word.
 */
export async function checkHostKeys(source: Config | YamlFile): Promise<void> {
  const file = isYamlFile(source) ? source : undefined;
  const value = file?.value ?? (source as Config);
  // The schema's library is a cost of start-up that only a config file is worth.
  const { hostConfig } = await import("./schema.js");
  const issues = hostConfig.safeParse(value).error?.issues ?? [];
  const [first, ...others] = issues.map((issue) => fault(describeIssue(plainIssue(issue, []), value), file));
  if (first !== undefined) throw allFaults([first, ...others]);
}

function isYamlFile(source: Config | YamlFile): source is YamlFile {
  return typeof source["file"] === "string" && "lineOf" in source;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly fix: string;
}

function fault({ path, message, fix }: Fault, file: YamlFile | undefined): Diagnostic {
  const at =
    file === undefined
      ? ({ kind: "flag" } as const)
      : ({ kind: "config", file: file.file, line: file.lineOf(path) } as const);
  return { code: "config-invalid", level: "error", message, at, fix };
}

type Issue = z.core.$ZodIssue;

/** Of a value that fits none of several forms, the fault of the form it comes nearest to. */
function plainIssue(issue: Issue, above: readonly PropertyKey[]): Issue & { path: PropertyKey[] } {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const inner = issue.errors.flat().find((each) => each.code !== "invalid_type" && each.code !== "invalid_value");
    const deeper = inner ?? issue.errors.flat().find((each) => each.path.length > 0);
    if (deeper !== undefined) return plainIssue(deeper, path);
  }
  return { ...issue, path };
}

function describeIssue(issue: Issue, root: Config): Fault {
  const seen = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], root);
  const name = `\`${issue.path.join(".")}\``;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const known = nestedKeys[`${String(issue.path[0])}${issue.path.length > 1 ? ".*" : ""}`] ?? [];
    const like = nearest(key, known);
    return {
      path: [...issue.path, key],
      message: `\`${[...issue.path, key].join(".")}\` is no known key`,
      fix: `${like === undefined ? "" : `Did you mean \`${like}\`? `}Known here: ${known.join(", ")}`,
    };
  }
  const wanted = wantedBy(issue);
  const like =
    issue.code === "invalid_value" && typeof seen === "string" ? nearest(seen, issue.values.map(String)) : undefined;
  return {
    path: issue.path,
    message: `${name} is ${show(seen)}, and ${wanted} is wanted`,
    fix: like === undefined ? "`agent config schema` prints every key with its form" : `Did you mean \`${like}\`?`,
  };
}

const formNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping (`key: value` lines)",
  record: "a mapping (`name: …` lines)",
};

/** By top-level key: what a value of several forms may be. */
const unionForms: Readonly<Record<string, string>> = {
  sections: "`false`, a text, or a mapping with `append`, `prepend`, `text`, `file` or `use`",
  instructions: "a text, or a mapping with `file`",
  profiles: "a folder, or a list of folders of which one counts",
};

function wantedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return formNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map(String).join(" or ");
    case "too_small":
      return issue.origin === "string" ? "a text that is not empty" : `a number above ${issue.minimum}`;
    case "invalid_union":
      return unionForms[String(issue.path[0])] ?? "another form";
    case "custom":
      return `something else: ${issue.message}`;
    default:
      return `something else (${issue.message})`;
  }
}

function show(value: unknown): string {
  if (isRecord(value))
    return Object.keys(value).length === 0
      ? "an empty mapping"
      : `a mapping with ${Object.keys(value).slice(0, 5).join(", ")}`;
  if (Array.isArray(value)) return "a list";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
