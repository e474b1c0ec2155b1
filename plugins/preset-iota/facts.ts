import { access, constants, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { SectionContent, SectionContext } from "@quire/core";
import type { IotaOptions } from "./options.js";

/** What the environment block tells, as plain data. Paths are absolute. */
export interface EnvironmentFacts {
  readonly projectRoot: string;
  /** `os (arch)`. */
  readonly platform: string;
  /** File stem of the interpreter, or `(none)`. */
  readonly shell: string;
  /** `YYYY-MM-DD`, local. */
  readonly date: string;
  /** What `agent` runs, with links resolved; absent: unknown. */
  readonly binary?: string;
  readonly userConfig?: string;
  readonly projectConfig?: string;
  /** The only config file of this start. */
  readonly onlyConfig?: string;
}

/** One `key: value` line for each fact. Pure: the machine is not asked. */
export function environmentContent(facts: EnvironmentFacts): SectionContent {
  const configs =
    facts.onlyConfig === undefined
      ? ([
          ["user config", facts.userConfig ?? "(absent)"],
          ["project config", facts.projectConfig ?? "(absent)"],
        ] as const)
      : ([["config", `${facts.onlyConfig} (given with -c; the only scope)`]] as const);
  const lines = [
    ["project root", facts.projectRoot],
    ["platform", facts.platform],
    ["shell", facts.shell],
    ["date", facts.date],
    ["agent binary", facts.binary ?? "(unknown)"],
    ...configs,
  ] as const;
  return { kind: "facts", facts: lines.map(([key, value]) => [key, oneLine(value)] as const) };
}

type FactPlace = Pick<SectionContext, "cwd" | "projectRoot" | "home" | "platform" | "shell" | "today" | "env" | "read">;

/** Asks the machine, once for a session: nothing read here is tracked. */
export async function readFacts(place: FactPlace, options: IotaOptions): Promise<EnvironmentFacts> {
  const { config_file: only } = options;
  const [binary, userConfig, projectConfig] = await Promise.all([
    options.binary ?? commandFile(place.env("PATH") ?? ""),
    only === undefined ? firstFile(place, place.home) : undefined,
    only === undefined ? firstFile(place, place.cwd) : undefined,
  ]);
  return {
    projectRoot: place.projectRoot,
    platform: place.platform,
    shell: place.shell,
    date: place.today,
    ...(binary === undefined ? {} : { binary }),
    ...(userConfig === undefined ? {} : { userConfig }),
    ...(projectConfig === undefined ? {} : { projectConfig }),
    ...(only === undefined ? {} : { onlyConfig: path.resolve(place.cwd, only) }),
  };
}

/** The file a shell runs when `agent` is typed, with links resolved. */
async function commandFile(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const file = path.join(folder, "agent");
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram && (await stat(file)).isFile()) return await realpath(file);
  }
  return undefined;
}

async function firstFile(place: Pick<FactPlace, "read">, folder: string): Promise<string | undefined> {
  for (const name of [".iota.yaml", ".iota.yml"]) {
    const file = path.join(folder, name);
    // One that cannot be read is there all the same.
    const text = await place.read(file, { maxBytes: 1, track: false }).catch(() => "");
    if (text !== null) return file;
  }
  return undefined;
}

/** A folder's name may hold a line break, which would look like one more fact. */
function oneLine(value: string): string {
  return value.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}
