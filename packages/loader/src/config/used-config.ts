import type { Diagnostic } from "@quire/core";
import { readSectionText, type ReadBytes } from "../edits/config-edits.js";
import { untrustedPart } from "../trust/config-part.js";
import type { Project } from "../trust/project.js";
import type { Weighed } from "../trust/weigh-project.js";
import { checkHostKeys } from "./check-host-keys.js";
import type { YamlFile } from "./yaml-file.js";

/** A config file, or the part of it that counts. */
export interface UsedConfig {
  /** `preset`: a config file of the system that the preset follows. */
  readonly layer: "preset" | "user" | "project";
  readonly config: YamlFile;
  /** Reads a file that it takes text from. */
  readonly read: ReadBytes;
}

/**
 * The config files that count, from low to high.
 * @throws {ConfigError} `config-invalid` for what the project's says.
 */
export async function usedConfigs(
  { system, systemParts, trusted }: Weighed,
  user: YamlFile | undefined,
  project: Project | null,
): Promise<readonly UsedConfig[]> {
  const ofSystem = system.files.files.map((file): UsedConfig => {
    const part = systemParts.get(file);
    const config = part === undefined || trusted ? file.config : untrustedPart(file.config);
    return { layer: "preset", config, read: part?.read ?? readSectionText };
  });
  const own = project?.config;
  const ofProject = own === undefined ? undefined : trusted ? own.config : untrustedPart(own.config);
  if (ofProject !== undefined) await checkHostKeys(ofProject);
  return [
    ...ofSystem,
    ...(user === undefined ? [] : [{ layer: "user", config: user, read: readSectionText } as const]),
    ...(own === undefined || ofProject === undefined
      ? []
      : [{ layer: "project", config: ofProject, read: own.read } as const]),
  ];
}

/** Keys of the system's files that mean nothing here, of the files that count. */
export function ignoredKeys({ system, systemParts, trusted }: Weighed): readonly Diagnostic[] {
  return system.files.files.flatMap((file) => (trusted || !systemParts.has(file) ? file.ignored : []));
}
