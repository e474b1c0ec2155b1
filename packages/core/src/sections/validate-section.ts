import type { SectionBody } from "../contracts/section.js";
import { PluginError } from "../errors.js";

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** @throws {PluginError} `name-prefix` unless the name is `<plugin>/<kebab-case>`. */
export function validateSectionName(name: unknown, plugin: string): void {
  if (typeof name === "string" && name.startsWith(`${plugin}/`) && kebab.test(name.slice(plugin.length + 1))) return;
  throw new PluginError({
    code: "name-prefix",
    level: "error",
    message: `Section name "${String(name)}" is not of the form ${plugin}/<kebab-case>`,
    plugin,
    fix: `Name it "${plugin}/…"; to change another plugin's section use sections.replace`,
  });
}

/** @throws {PluginError} `section-invalid` when plain JavaScript left out what the types ask for. */
export function validateSectionBody(body: SectionBody, name: string, plugin: string): void {
  const problem = bodyProblem(body);
  if (problem === undefined) return;
  throw new PluginError({
    code: "section-invalid",
    level: "error",
    message: `Section "${name}" ${problem.what}`,
    plugin,
    section: name,
    fix: problem.fix,
  });
}

function bodyProblem(body: SectionBody): { what: string; fix: string } | undefined {
  if (typeof body !== "object" || body === null) return { what: "is no object", fix: "Give cache and compute" };
  if (typeof body.compute !== "function")
    return { what: "has no compute function", fix: "Add compute(context, signal)" };
  const cache: unknown = body.cache;
  if (cache === "memoized") return undefined;
  const form = 'Set cache to "memoized" or { volatile: "why it changes" }';
  if (typeof cache !== "object" || cache === null || !("volatile" in cache))
    return { what: "has no cache tag", fix: form };
  if (typeof cache.volatile !== "string" || cache.volatile.length < minReasonCharacters) {
    return {
      what: `gives "${String(cache.volatile)}" as the reason to be volatile`,
      fix: `Say why in ${minReasonCharacters} characters or more`,
    };
  }
  const deliver = "deliver" in cache ? cache.deliver : undefined;
  if (deliver === undefined || deliver === "delta" || deliver === "tail" || deliver === "prefix") return undefined;
  return { what: `has deliver ${JSON.stringify(deliver)}`, fix: "Use delta, tail or prefix" };
}

/** A reason shorter than this says nothing. */
const minReasonCharacters = 12;
