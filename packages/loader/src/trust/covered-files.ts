import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Config } from "@quire/core";
import { sha256 } from "@quire/core/host";
import { diskFiles } from "../disk-files.js";
import { readProfileFiles, type ProfileFile, type ProfileFolder } from "../profiles/profile-files.js";
import { isRecord } from "../record.js";
import { listTree } from "../tree.js";
import { hashOfBytes, hashOfFile } from "./file-hash.js";
import type { FileHash, TrustPart } from "./trust-part.js";

interface Covered {
  readonly path: string;
  readonly what: string;
  /** Of a folder: how deep its files count. */
  readonly depth: number;
}

/** Files of a project that plugins read by themselves once it is trusted, and what they are. */
const ownFiles: readonly Covered[] = [
  { path: ".quire/commands", what: "holds commands", depth: 1 },
  { path: ".quire/mcp.yaml", what: "names MCP servers", depth: 1 },
  { path: ".quire/models.yaml", what: "describes models", depth: 1 },
  { path: ".mcp.json", what: "names MCP servers", depth: 1 },
];

/** How deep the folders are covered that a preset names. */
const maxDepth = 8;

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
  place: CoveredPlace,
  folders: readonly ProfileFolder[],
  paths: readonly string[],
): Promise<CoveredFiles> {
  const { root } = place;
  const wanted = wantedFiles(place, paths);
  const present = await Promise.all(wanted.map(async (entry) => ((await isThere(entry.path)) ? [entry] : [])));
  const entries = present.flat();
  const listed = await Promise.all(folders.map(async ({ folder }) => ({ folder, names: await profileNames(folder) })));
  let read: Promise<readonly ProfileFile[]> | undefined;
  const profiles = (): Promise<readonly ProfileFile[]> => (read ??= readProfileFiles(folders));
  return {
    profiles,
    needsTrust: [
      ...listed
        .filter(({ names }) => names.length > 0)
        .map(({ folder, names }) => `${relative(root, folder)} holds profiles: ${shortened(names)}`),
      ...entries.map(({ path, what }) => `${relative(root, path)} ${what}`),
    ],
    async hashes() {
      const ofProfiles = (await profiles()).map(({ file, bytes }): FileHash => [
        relative(root, file),
        hashOfBytes(bytes),
      ]);
      return [...ofProfiles, ...(await Promise.all(entries.map((entry) => hashesOf(entry, root)))).flat()];
    },
  };
}

/** What config says of further paths that trust covers. */
export function trustPaths(config: Config): readonly string[] {
  const trust = config["trust"];
  const paths = isRecord(trust) ? trust["paths"] : undefined;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}

/** Absolute, each path once. */
function wantedFiles({ root, cwd, hasOwnFolder }: CoveredPlace, paths: readonly string[]): readonly Covered[] {
  const own = ownFiles.filter(({ path }) => hasOwnFolder || !path.startsWith(".quire/"));
  const named = [root, cwd].flatMap((base) =>
    paths.map((path): Covered => ({ path: resolve(base, path), what: "is used with trust", depth: maxDepth })),
  );
  const all = [...own.map((entry) => ({ ...entry, path: join(root, entry.path) })), ...named];
  return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
}

/** An empty folder brings nothing. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) return found !== null;
  return ((await diskFiles.list(path).catch(() => null)) ?? []).length > 0;
}

/** Of what lies outside the project the link alone is the project's: it is neither entered nor read. */
async function hashesOf({ path, depth }: Covered, root: string): Promise<readonly FileHash[]> {
  const real = await realpath(path).catch(() => path);
  const name = relative(root, path);
  if (!isInside(await realpath(root).catch(() => root), real)) return [[name, sha256(`link to ${real}`)]];
  if ((await stat(path).catch(() => null))?.isDirectory() !== true) return [[name, await hashOfFile(path)]];
  const names = await listTree(path, { maxDepth: depth, followLinks: false }).catch(() => []);
  return await Promise.all(names.map(async (each) => [join(name, each), await hashOfFile(join(path, each))] as const));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

async function profileNames(folder: string): Promise<readonly string[]> {
  const names = await listTree(folder, { maxDepth: 1, followLinks: false }).catch(() => []);
  return names.filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(", ");
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
