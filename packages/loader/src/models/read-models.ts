import { join } from "node:path";
import { QuireError, type Diagnostic } from "@quire/core";
import { parseYamlFile } from "../config/yaml-file.js";
import { diskFiles } from "../disk-files.js";
import { modelTable, type ModelFile, type ModelTable } from "./model-facts.js";
import shipped from "./models.json" with { type: "json" };

/** The table, and what was wrong with the user's file. */
export interface FoundModels {
  readonly models: ModelTable;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Contexts and prices of models: what ships, and over it the user's `models.yaml`.
 * @returns A file of the user that is wrong is left out and reported: nothing depends on prices.
 */
export async function readModels(quireHome: string): Promise<FoundModels> {
  const file = join(quireHome, "models.yaml");
  // A test holds it to the schema.
  const own: ModelFile = shipped;
  try {
    const source = await diskFiles.read(file);
    if (source === null) return { models: modelTable([own]), diagnostics: [] };
    const yaml = parseYamlFile(source, file);
    const { checkModels } = await import("./model-schema.js");
    const { value, problem, path = [] } = checkModels(yaml.value);
    const files = value === undefined ? [own] : [value, own];
    const diagnostics = problem === undefined ? [] : [invalid(file, problem, yaml.lineOf(path))];
    return { models: modelTable(files), diagnostics };
  } catch (error) {
    const found = QuireError.is(error) ? error.diagnostic : invalid(file, String(error));
    return { models: modelTable([own]), diagnostics: [{ ...found, code: "models-invalid", level: "warn" }] };
  }
}

function invalid(file: string, message: string, line?: number): Diagnostic {
  return {
    code: "models-invalid",
    level: "warn",
    message,
    at: { kind: "config", file, ...(line !== undefined && { line }) },
    fix: "Give each model as provider/model: { context_tokens, usd_per_million: { input, cache_read, cache_write, output } }",
  };
}
