import type { Diagnostic } from "../contracts/diagnostic.js";
import type { LoadedPlugin } from "../contracts/host.js";

/** The plugin API this host speaks: 1.`apiMinor`. */
const apiMinor = 0;
const nameForm = /^(?:@[a-z0-9]+(?:-[a-z0-9]+)*\/)?[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Checks what a plugin's file exported. Its static type is a promise of the loader: the value came from a stranger.
 * @returns The plugin under the name its definition gives, or null after a report.
 */
export function checkDefinition(loaded: LoadedPlugin, report: (diagnostic: Diagnostic) => void): LoadedPlugin | null {
  const exported: unknown = loaded.plugin;
  const problem: Problem | null = isRecord(exported)
    ? findProblem(exported)
    : { code: "plugin-invalid", what: `exports ${describe(exported)} by default where a plugin is wanted` };
  if (problem === null) {
    return loaded.plugin.name === loaded.name ? loaded : { ...loaded, name: loaded.plugin.name };
  }
  report({
    code: problem.code,
    level: "error",
    plugin: loaded.name,
    at: {
      kind: "plugin",
      plugin: loaded.name,
      ...(loaded.file === undefined ? {} : { file: loaded.file }),
    },
    message: `Plugin "${loaded.name}" is not loaded: it ${problem.what}`,
    fix: problem.fix ?? "Let its file end in: export default definePlugin({ name, apiVersion: 1, setup })",
  });
  return null;
}

interface Problem {
  readonly code: "plugin-invalid" | "plugin-api-version";
  readonly what: string;
  readonly fix?: string;
}

function findProblem(exported: Readonly<Record<string, unknown>>): Problem | null {
  const invalid = (what: string, fix?: string): Problem => ({
    code: "plugin-invalid",
    what,
    ...(fix === undefined ? {} : { fix }),
  });
  const { name, apiVersion, setup, options } = exported;
  if (typeof name !== "string" && typeof setup !== "function") {
    return invalid(`exports ${describe(exported)} by default where a plugin is wanted`);
  }
  if (typeof name !== "string" || !nameForm.test(name)) {
    return invalid(
      `exports the name ${describe(name)} where kebab-case or @scope/kebab-case is wanted`,
      "Give it a name such as my-plugin or @me/my-plugin",
    );
  }
  if (typeof setup !== "function") return invalid(`exports ${describe(setup)} as setup where a function is wanted`);
  if (!isApiVersion(apiVersion)) {
    return {
      code: "plugin-api-version",
      what: `asks for plugin API ${describe(apiVersion)}, and this host speaks 1.${apiMinor}`,
      fix: "Set apiVersion to 1, or take a version of the plugin made for this host",
    };
  }
  for (const key of ["after", "before", "needs", "configKeys"]) {
    if (exported[key] !== undefined && !isNames(exported[key])) {
      return invalid(
        `exports ${describe(exported[key])} as ${key} where a list of names is wanted`,
        `Write ${key}: ["name"]`,
      );
    }
  }
  if (options !== undefined && !isSchema(options)) {
    return invalid(`exports ${describe(options)} as options where a schema is wanted`, "Give options as a zod schema");
  }
  return null;
}

function isApiVersion(value: unknown): boolean {
  if (value === 1) return true;
  const minor = typeof value === "string" ? /^\^1\.(\d+)$/.exec(value)?.[1] : undefined;
  return minor !== undefined && Number(minor) <= apiMinor;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isSchema(value: unknown): boolean {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a message: short, and never its whole content. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return value.name === "" ? "a function" : `the function ${value.name}`;
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 6).join(", ")}`;
}
