import type { SectionBody } from "../contracts/section.js";
import { pluginError } from "../errors.js";

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** @throws {PluginError} `name-prefix` unless the name is `<plugin>/<kebab-case>`. */
export function validateSectionName(name: unknown, plugin: string): void {
  if (typeof name === "string" && name.startsWith(`${plugin}/`) && kebab.test(name.slice(plugin.length + 1))) return;
  const message = `Section name "${String(name)}" is not of the form ${plugin}/<kebab-case>`;
  const fix = `Name it "${plugin}/…"; to change another plugin's section use sections.replace`;
  throw pluginError("name-prefix", message, { plugin, fix });
}

/** @throws {PluginError} `section-invalid` when plain JavaScript left out what the types ask for. */
export function validateSectionBody(body: SectionBody, name: string, plugin: string): void {
  const problem = findProblem(body);
  if (problem === undefined) return;
  throw pluginError("section-invalid", `Section "${name}" ${problem[0]}`, { plugin, section: name, fix: problem[1] });
}

function findProblem(body: Partial<SectionBody> | null): readonly [what: string, fix: string] | undefined {
  if (typeof body !== "object" || body === null) return ["is no object", "Give cache and compute"];
  if (typeof body.compute !== "function") return ["has no compute function", "Add compute(context, signal)"];
  if (body.cache === "memoized") return undefined;
  if (typeof body.cache !== "object" || !("volatile" in body.cache)) {
    return ["has no cache tag", 'Set cache to "memoized" or { volatile: "why it changes" }'];
  }
  const { volatile: reason, deliver = "delta" } = body.cache;
  if (typeof reason !== "string" || reason.length < minReasonCharacters) {
    return [`gives "${reason}" as the reason to be volatile`, `Say why in ${minReasonCharacters} characters or more`];
  }
  if (["delta", "tail", "prefix"].includes(deliver)) return undefined;
  return [`has deliver ${JSON.stringify(deliver)}`, "Use delta, tail or prefix"];
}

/** A reason shorter than this says nothing. */
const minReasonCharacters = 12;
