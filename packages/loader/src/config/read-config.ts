import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigError } from "@quire/core";
import type { LoadedConfig } from "../contract.js";
import { diskFiles } from "../disk-files.js";
import { checkHostKeys } from "./check-host-keys.js";
import { parseYamlFile, type YamlFile } from "./yaml-file.js";

/**
 * The config of the user: the file that `-c` names, else `$QUIRE_HOME/config.yaml` if there is one.
 * @throws {ConfigError} `config-missing` when the named file does not exist, `config-invalid` for what is in it.
 */
export async function readUserConfig(
  named: string | undefined,
  cwd: string,
  quireHome: string,
): Promise<YamlFile | undefined> {
  const file = named === undefined ? join(quireHome, "config.yaml") : resolve(cwd, named);
  const bytes = await (named === undefined ? readConfigBytes(file) : readNamedConfig(file));
  if (bytes === null) {
    if (named === undefined) return await refuseOtherName(quireHome);
    throw new ConfigError({
      code: "config-missing",
      level: "error",
      message: `There is no config file ${file}`,
      at: { kind: "flag" },
      fix: "Check the path that --config names",
    });
  }
  const config = parseYamlFile(bytes, file);
  await checkHostKeys(config);
  return config;
}

/** @throws {ConfigError} `config-misnamed`: a file of that kind would be passed over without a word. */
async function refuseOtherName(quireHome: string): Promise<undefined> {
  const other = ["config.yml", "config.json"].map((name) => join(quireHome, name));
  for (const file of other) {
    if ((await diskFiles.read(file, 1)) === null) continue;
    throw new ConfigError({
      code: "config-misnamed",
      level: "error",
      message: `${file} is not read: config stands in config.yaml`,
      at: { kind: "config", file },
      fix: "Rename it to config.yaml",
    });
  }
  return undefined;
}

/** Every config file that may count, and which of them do. */
export function configFiles(
  named: string | undefined,
  user: YamlFile | undefined,
  project: { readonly file: string; readonly exists: boolean; readonly used: boolean },
  place: { readonly cwd: string; readonly quireHome: string },
): LoadedConfig["files"] {
  const isNamed = named !== undefined;
  const userFile = isNamed ? resolve(place.cwd, named) : join(place.quireHome, "config.yaml");
  const found = { scope: "user", file: userFile, exists: user !== undefined, used: user !== undefined };
  return isNamed ? [found] : [found, { scope: "project", ...project }];
}

/** The largest config file that is read, in bytes. */
const maxConfigBytes = 4_194_304;

/** @throws {ConfigError} `config-unreadable` when there is something that cannot be read. */
export async function readConfigBytes(file: string): Promise<Uint8Array | null> {
  const bytes = await diskFiles.read(file, maxConfigBytes + 1).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (bytes !== null && bytes.length > maxConfigBytes) {
    throw unreadable(file, new Error(`it is larger than ${maxConfigBytes} bytes`));
  }
  return bytes;
}

/** What the user names may also be a pipe: the shell's `<(command)`, or /dev/stdin. */
async function readNamedConfig(file: string): Promise<Uint8Array | null> {
  return readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
    throw unreadable(file, cause);
  });
}

function unreadable(file: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError({
    code: "config-unreadable",
    level: "error",
    message: `The config file cannot be read: ${reason}`,
    at: { kind: "config", file },
    fix: "Make it a file that you may read",
    cause,
  });
}
