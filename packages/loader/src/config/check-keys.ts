import type { Diagnostic } from "@quire/core";
import { nearest } from "@quire/core/host";
import { allFaults } from "./all-faults.js";
import { hostKeys } from "./known-keys.js";
import type { YamlFile } from "./yaml-file.js";

/**
 * Finds top-level keys that neither the host nor a plugin owns.
 * @param pluginKeys Keys that plugins name in `configKeys`.
 * @param missing Plugins that were not loaded, so that their keys are not known: then an unknown key is only reported.
 * @throws {ConfigError} `config-key-unknown` with file, line and the nearest valid key.
 */
export function checkKeys(
  files: readonly YamlFile[],
  pluginKeys: readonly string[],
  missing: readonly string[],
): readonly Diagnostic[] {
  const known = [...new Set([...hostKeys, ...pluginKeys])];
  const found = files.flatMap((file) =>
    Object.keys(file.value)
      .filter((key) => !known.includes(key))
      .map((key) => {
        const like = nearest(key, known);
        const diagnostic: Diagnostic = {
          code: "config-key-unknown",
          level: missing.length === 0 ? "error" : "warn",
          message:
            missing.length === 0
              ? `\`${key}\` is no known key`
              : `\`${key}\` is no known key, unless it belongs to a plugin that is not loaded (${missing.join(", ")})`,
          at: { kind: "config", file: file.file, line: file.lineOf([key]) },
          fix:
            like === undefined
              ? `Known keys: ${known.join(", ")}`
              : `Did you mean \`${like}\`? Known keys: ${known.join(", ")}`,
        };
        return diagnostic;
      }),
  );
  const [first, ...others] = found;
  if (first !== undefined && missing.length === 0) throw allFaults([first, ...others]);
  return found;
}
