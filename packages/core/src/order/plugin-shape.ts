import type { Diagnostic, Origin } from "../index.js";
import type { LoadedPlugin } from "../host-door.js";
import { fault } from "../errors.js";

const nameForm = /^(?:@[a-z0-9]+(?:-[a-z0-9]+)*\/)?[a-z0-9]+(?:-[a-z0-9]+)*$/;
const form = "Let its file end in: export default definePlugin({ name, apiVersion: 1, setup })";

/**
 * Checks what a plugin's file exported. Its static type is a promise of the loader: the value came from a stranger.
 * @returns The plugin under the name its definition gives, or null after a report.
 */
export function checkDefinition(loaded: LoadedPlugin, report: (diagnostic: Diagnostic) => void): LoadedPlugin | null {
  const [code, what, fix] = findProblem(loaded.plugin) ?? [];
  if (code === undefined) return { ...loaded, name: loaded.plugin.name };
  const message = `Plugin "${loaded.name}" is not loaded: it ${what}`;
  report(fault(code, message, { plugin: loaded.name, at: originOf(loaded), fix }));
  return null;
}

/** Where a plugin's code stands. */
export const originOf = ({ name, file }: Pick<LoadedPlugin, "name" | "file">): Origin => ({
  kind: "plugin",
  plugin: name,
  ...(file === undefined ? {} : { file }),
});

function findProblem(exported: unknown): readonly [code: string, what: string, fix: string] | undefined {
  const isObject = typeof exported === "object" && exported !== null;
  const given = (isObject ? exported : {}) as Readonly<Record<string, unknown>>;
  const { name, apiVersion, setup, options } = given;
  const checks: readonly (readonly [isFine: boolean, seen: string, wanted: string])[] = [
    [typeof name === "string" || typeof setup === "function", `${describe(exported)} by default`, "a plugin"],
    [typeof name === "string" && nameForm.test(name), `the name ${describe(name)}`, "my-plugin or @me/my-plugin"],
    [typeof setup === "function", `${describe(setup)} as setup`, "a function"],
    ...["after", "before", "needs", "configKeys"].map(
      (key) => [isNames(given[key]), `${describe(given[key])} as ${key}`, 'a list like ["name"]'] as const,
    ),
    [options === undefined || isSchema(options), `${describe(options)} as options`, "a zod schema"],
  ];
  const wrong = checks.find(([isFine]) => !isFine);
  if (wrong !== undefined) return ["plugin-invalid", `exports ${wrong[1]} where ${wrong[2]} is wanted`, form];
  if (apiVersion === 1 || apiVersion === "^1.0") return undefined;
  const what = `asks for plugin API ${describe(apiVersion)}, and this host speaks 1.0`;
  return ["plugin-api-version", what, "Set apiVersion to 1, or take a version of the plugin made for this host"];
}

const isNames = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((item) => typeof item === "string"));

const isSchema = (value: unknown): boolean =>
  ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value;

/** A value in a message: short, and never its whole content. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "function") return value.name === "" ? "a function" : `the function ${value.name}`;
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 6);
  const object = keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
  return Array.isArray(value) ? "an array" : object;
}
