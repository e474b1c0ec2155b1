import { PluginError } from "../errors.js";

/** The part after the last slash: what a model or a user sees. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * The part of a name after the plugin's own prefix.
 * @param form What that part must look like.
 * @throws {PluginError} `name-prefix` when the prefix is another one, or the part has not the form.
 */
export function ownName(kind: string, plugin: string, name: string, form: RegExp): string {
  const part = name.startsWith(`${plugin}/`) ? name.slice(plugin.length + 1) : undefined;
  if (part !== undefined && form.test(part)) return part;
  const suggested =
    shortName(name)
      .toLowerCase()
      .replaceAll(/[^a-z0-9_-]+/g, "-") || "name";
  throw new PluginError({
    code: "name-prefix",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" registers the ${kind} "${name}" where "${plugin}/<name>" is wanted`,
    fix: `Name it "${plugin}/${suggested}"; another plugin's ${kind} is edited with replace, wrap or remove`,
  });
}
