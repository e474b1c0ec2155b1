import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isRecord } from "../record.js";
import type { Config } from "@quire/core";
import { readProfileFiles, type ProfileFile, type ProfileFolder } from "../profiles/profile-files.js";
import { listTree } from "../tree.js";
import { hashOfBytes, hashOfFile } from "./file-hash.js";
import type { FileHash, TrustPart } from "./trust-part.js";

/** Files of a project that plugins read by themselves once it is trusted, and what they are. */
const ownFiles: readonly (readonly [path: string, what: string])[] = [
  [".quire/commands", "holds commands"],
  [".quire/mcp.yaml", "names MCP servers"],
  [".quire/models.yaml", "describes models"],
  [".mcp.json", "names MCP servers"],
];

export interface CoveredPlace {
  readonly root: string;
  readonly cwd: string;
  /** The project's `.quire` is its own, not the user's folder. */
  readonly hasOwnFolder: boolean;
}

/** What trust covers beside config, sections and plugins: profiles, commands, MCP servers, and what a preset names. */
export interface CoveredFiles extends TrustPart {
  /** Read once: the bytes that are judged are the bytes that are used. */
  profiles(): Promise<readonly ProfileFile[]>;
}

/**
 * @param folders The project's own folders of profiles.
 * @param paths Further files and folders, relative to the project's root or to the working directory.
 */
export async function coveredFiles(
  { root, cwd, hasOwnFolder }: CoveredPlace,
  folders: readonly ProfileFolder[],
  paths: readonly string[],
): Promise<CoveredFiles> {
  const own = ownFiles.filter(([path]) => hasOwnFolder || !path.startsWith(".quire/"));
  const further = [root, cwd].flatMap((base) =>
    paths.map((path) => [resolve(base, path), "is used with trust"] as const),
  );
  const wanted = new Map([...own.map(([path, what]) => [join(root, path), what] as const), ...further]);
  const entries = await Promise.all([...wanted].map(([path, what]) => entryOf(path, what)));
  const listed = await Promise.all(folders.map(async ({ folder }) => ({ folder, files: await profileNames(folder) })));
  let read: Promise<readonly ProfileFile[]> | undefined;
  const profiles = (): Promise<readonly ProfileFile[]> => (read ??= readProfileFiles(folders));
  return {
    profiles,
    needsTrust: [
      ...listed
        .filter(({ files }) => files.length > 0)
        .map(({ folder, files }) => `${relative(root, folder)} holds profiles: ${shortened(files)}`),
      ...entries
        .flatMap((entry) => entry ?? [])
        .map(({ path, what, files }) => needOf(relative(root, path), what, files)),
    ],
    async hashes() {
      const ofProfiles = (await profiles()).map(({ file, bytes }): FileHash => [
        relative(root, file),
        hashOfBytes(bytes),
      ]);
      const files = entries.flatMap((entry) => entry?.files ?? []);
      return [
        ...ofProfiles,
        ...(await Promise.all(files.map(async (file) => [relative(root, file), await hashOfFile(file)] as const))),
      ];
    },
  };
}

/** What config says of further paths that trust covers. */
export function trustPaths(config: Config): readonly string[] {
  const trust = config["trust"];
  const paths = isRecord(trust) ? trust["paths"] : undefined;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}

interface Entry {
  readonly path: string;
  readonly what: string;
  /** Absolute. */
  readonly files: readonly string[];
}

/** Null when there is nothing at the path. */
async function entryOf(path: string, what: string): Promise<Entry | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isDirectory()) return { path, what, files: [path] };
  const files = (await listTree(path, { maxDepth: 8, followLinks: false }).catch(() => [])).map((name) =>
    join(path, name),
  );
  return files.length === 0 ? null : { path, what, files };
}

async function profileNames(folder: string): Promise<readonly string[]> {
  const names = await listTree(folder, { maxDepth: 1, followLinks: false }).catch(() => []);
  return names.filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
}

function needOf(path: string, what: string, files: readonly string[]): string {
  return files.length < 2 ? `${path} ${what}` : `${path} ${what} (${files.length} files)`;
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
