import type { Effect, ToolSpec } from "../contracts/tool.js";
import { PluginError } from "../errors.js";

const effects: ReadonlySet<unknown> = new Set<Effect>(["read", "write", "run", "network"]);

/**
 * Checks a tool as a plugin gave it; a plugin may be plain JavaScript.
 * @returns The tool, with the effect `run` when it names none.
 * @throws {PluginError} `tool-invalid`.
 */
export function checkTool(plugin: string, spec: ToolSpec): ToolSpec {
  const problem = findProblem(spec);
  if (problem !== undefined) {
    throw new PluginError({
      code: "tool-invalid",
      level: "error",
      plugin,
      message: `Plugin "${plugin}" gives ${nameIn(spec)} ${problem}`,
      fix: "Give name, description, input, effect and execute, as the type ToolSpec says",
    });
  }
  return effects.has(spec.effect) ? spec : withEffect(spec);
}

function findProblem(spec: unknown): string | undefined {
  if (typeof spec !== "object" || spec === null) return "that is no object";
  const { name, description, input, effect, execute } = spec as Partial<Record<keyof ToolSpec, unknown>>;
  if (typeof name !== "string" || name === "") return "without a name";
  if (typeof description !== "string" || description.trim() === "") return "without a description";
  if ((typeof input !== "object" && typeof input !== "function") || input === null) return "without an input schema";
  if (Array.isArray(input)) return "whose input is an array";
  if (typeof execute !== "function") return "without an execute function";
  if (effect === undefined || effects.has(effect)) return undefined;
  return `with an effect that is none of ${[...effects].join(", ")}`;
}

function nameIn(spec: unknown): string {
  if (typeof spec !== "object" || spec === null || !("name" in spec)) return "a tool";
  return typeof spec.name === "string" ? `the tool "${spec.name}"` : "a tool";
}

/** Its methods and getters may live on a class, where spreading does not reach. */
function withEffect(spec: ToolSpec): ToolSpec {
  const { name, description, input } = spec;
  return {
    ...spec,
    name,
    description,
    input,
    effect: "run",
    execute: (args, context) => spec.execute(args, context),
  };
}
