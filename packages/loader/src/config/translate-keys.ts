import type { Attrs, Config, Diagnostic } from "@quire/core";
import { isRecord } from "../record.js";
import type { YamlFile } from "./yaml-file.js";

/** Another system's config, said in our keys. */
export interface Translated {
  /** Lines are those of the foreign keys. */
  readonly config: YamlFile;
  /** One for each foreign key that means nothing here. */
  readonly ignored: readonly Diagnostic[];
}

/**
 * @param keys Which of our keys (dotted) each foreign key (dotted) sets. Of two that set the same, or a part of it, the
 *   first that is there counts.
 */
export function translateKeys(source: YamlFile, keys: Attrs): Translated {
  const origins = new Map<string, readonly string[]>();
  const value: Record<string, unknown> = {};
  for (const [foreign, ours] of Object.entries(keys)) {
    const from = foreign.split(".");
    const found = valueAt(source.value, from);
    if (found !== undefined && found !== null && setAt(value, ours.split("."), found)) origins.set(ours, from);
  }
  const line = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const from = origins.get(path.slice(0, length).join("."));
      if (from !== undefined) return source.lineOf([...from, ...path.slice(length)]);
    }
    const below = [...origins].find(([ours]) => ours.startsWith(`${path.join(".")}.`));
    return below === undefined ? 1 : source.lineOf(below[1]);
  };
  return {
    config: { file: source.file, value, lineOf: line },
    ignored: unknownKeys(source.value, [], Object.keys(keys)).map((path) => ignored(source, path)),
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), value);
}

/** False when something is set there, or above it, already. */
function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): boolean {
  const [key = "", ...rest] = path;
  const present = Object.hasOwn(target, key) ? target[key] : undefined;
  if (rest.length === 0) {
    if (present !== undefined) return false;
    target[key] = value;
    return true;
  }
  if (present !== undefined && !isRecord(present)) return false;
  const inner = { ...present };
  target[key] = inner;
  return setAt(inner, rest, value);
}

/** The paths of the uppermost keys that nothing translates, in the order of the file. */
function unknownKeys(
  value: Config,
  above: readonly string[],
  known: readonly string[],
): readonly (readonly string[])[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const path = [...above, key];
    const name = path.join(".");
    if (known.includes(name) || key === "$schema") return [];
    const hasKnown = known.some((each) => each.startsWith(`${name}.`));
    return hasKnown && isRecord(child) ? unknownKeys(child, path, known) : [path];
  });
}

function ignored(source: YamlFile, path: readonly string[]): Diagnostic {
  return {
    code: "preset-key-ignored",
    level: "info",
    message: `\`${path.join(".")}\` sets nothing: no key of Quire stands for it`,
    at: { kind: "config", file: source.file, line: source.lineOf(path) },
    fix: "`agent config schema` lists the keys of config.yaml",
  };
}
