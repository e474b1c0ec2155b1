import { isAbsolute, join, resolve } from "node:path";
import type { Attrs, Config } from "@quire/core";
import { diskFiles } from "../disk-files.js";
import { expandPath } from "../place.js";
import { isRecord } from "../record.js";

/** A folder whose Markdown files are profiles. */
export interface ProfileFolder {
  /** Absolute. */
  readonly folder: string;
  readonly scope: "user" | "project";
  /** `primary`: main agents only, never a subagent. */
  readonly kind: "any" | "primary";
}

/** A file of such a folder. */
export interface ProfileFile extends Omit<ProfileFolder, "folder"> {
  /** Absolute. */
  readonly file: string;
  /** An error when it cannot be read. */
  readonly bytes: Uint8Array | Error;
}

/** The largest profile that is read, in bytes. */
export const maxProfileBytes = 1_048_576;

/** The folders that count, from low to high: those of the user, then those of the project, its own folder last. */
export function profileFolders(
  config: Config,
  place: {
    readonly projectRoot: string;
    readonly home: string;
    readonly quireHome: string;
    readonly environment: Attrs;
    /** The project's `.quire` is its own. */
    readonly hasOwnFolder: boolean;
  },
): readonly ProfileFolder[] {
  const { projectRoot, home, quireHome, environment, hasOwnFolder } = place;
  const profiles = isRecord(config["profiles"]) ? config["profiles"] : {};
  const named = (["paths", "primary_paths"] as const).flatMap((key) =>
    listOf(profiles[key]).flatMap((entry): readonly ProfileFolder[] => {
      const path = alternatives(entry)
        .map((each) => expandPath(each, home, environment))
        .find((each) => each !== undefined);
      if (path === undefined) return [];
      const kind = key === "paths" ? "any" : "primary";
      return isAbsolute(path)
        ? [{ folder: path, scope: "user", kind }]
        : [{ folder: resolve(projectRoot, path), scope: "project", kind }];
    }),
  );
  const own: readonly ProfileFolder[] = hasOwnFolder
    ? [{ folder: join(projectRoot, ".quire", "agents"), scope: "project", kind: "any" }]
    : [];
  return [
    ...named.filter(({ scope }) => scope === "user"),
    { folder: join(quireHome, "agents"), scope: "user", kind: "any" },
    ...named.filter(({ scope }) => scope === "project"),
    ...own,
  ];
}

/** The `.md` files directly in the folders; one byte more than allowed shows that a file is too large. */
export async function readProfileFiles(folders: readonly ProfileFolder[]): Promise<readonly ProfileFile[]> {
  const read = folders.map(async ({ folder, scope, kind }) => {
    const names = (await diskFiles.list(folder).catch(() => null)) ?? [];
    return await Promise.all(
      names
        .filter((name) => name.endsWith(".md") && !name.startsWith("."))
        .map(async (name): Promise<ProfileFile> => {
          const file = join(folder, name);
          const bytes = await diskFiles.read(file, maxProfileBytes + 1).catch((error: Error) => error);
          return { file, scope, kind, bytes: bytes ?? new Error("it is gone") };
        }),
    );
  });
  return (await Promise.all(read)).flat();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function alternatives(entry: unknown): readonly string[] {
  return (Array.isArray(entry) ? entry : [entry]).filter((each) => typeof each === "string");
}
