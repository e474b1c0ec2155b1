import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { sha256 } from "@quire/core/host";
import { isRecord } from "../record.js";
import { bundle, type BundleOutput, type BundleRequest } from "./bundle.js";
import type { HostModule } from "./host-modules.js";
import { byCodePoint } from "../disk-files.js";
import { writeWhole } from "../store/write-whole.js";
import { nearestFile } from "./package-manifest.js";

/** A bundle on disk. */
export interface Bundle {
  /** Absolute; named by `hash`. */
  readonly file: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** SHA-256 over the plugin's sources, whatever version of the host and of the bundler made the bundle. */
  readonly sourceHash: string;
  readonly hostModules: readonly HostModule[];
}

/** What was true when a bundle was made: while it still is, the bundle is used and esbuild is not loaded. */
interface BundleRecord {
  readonly key: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly externals: readonly string[];
  readonly hostModules: readonly HostModule[];
  /** The files nearby that steer how the inputs are read, with their hashes. */
  readonly settings: Readonly<Record<string, string>>;
  readonly hash: string;
}

export interface CachedBundleRequest extends Omit<BundleRequest, "folder"> {
  readonly cacheFolder: string;
  /** Bundles made under another key are not used. */
  readonly key: string;
}

/** The bundle of a plugin as its files are now, from the cache if nothing changed. */
export async function cachedBundle(request: CachedBundleRequest): Promise<Bundle> {
  const folder = join(request.cacheFolder, "plugins");
  const key = sha256(JSON.stringify([request.key, request.inlinePackages]));
  const recordFile = join(
    folder,
    `${sha256(request.entry).slice(0, 24)}${request.inlinePackages ? "-whole" : ""}.json`,
  );
  const record = await readRecord(recordFile);
  if (record !== undefined && record.key === key && (await isFresh(record, request.entry, folder))) {
    return toBundle(join(folder, `${record.hash}.mjs`), record, request.entry);
  }
  const settings = await settingsOf(request.entry);
  const output = await bundle({ ...request, folder });
  const hash = sha256(output.code);
  const { inputs, externals, hostModules } = output;
  const written: BundleRecord = { key, inputs, externals, hostModules, settings, hash };
  return toBundle(await store(folder, recordFile, output, written), written, request.entry);
}

function toBundle(file: string, record: BundleRecord, entry: string): Bundle {
  const sources = Object.entries(record.inputs).map(([path, hash]) => [relative(dirname(entry), path), hash] as const);
  const sorted = sources.sort(([a], [b]) => byCodePoint(a, b));
  return {
    file,
    hash: record.hash,
    sourceHash: sha256(JSON.stringify(sorted)),
    hostModules: record.hostModules,
  };
}

async function readRecord(file: string): Promise<BundleRecord | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(file, "utf8"));
    return isRecord(record) && typeof record["hash"] === "string" && isRecord(record["inputs"])
      ? (record as unknown as BundleRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

async function isFresh(record: BundleRecord, entry: string, folder: string): Promise<boolean> {
  const [inputs, externals, settings, ownZod, bytes] = await Promise.all([
    Promise.all(Object.entries(record.inputs).map(async ([file, hash]) => (await hashOf(file)) === hash)),
    Promise.all(record.externals.map(async (file) => (await stat(file).catch(() => null)) !== null)),
    settingsOf(entry),
    record.hostModules.includes("zod") ? nearestFile(dirname(entry), "node_modules/zod/package.json") : undefined,
    readFile(join(folder, `${record.hash}.mjs`)).catch(() => undefined),
  ]);
  return (
    inputs.every(Boolean) &&
    externals.every(Boolean) &&
    JSON.stringify(settings) === JSON.stringify(record.settings) &&
    ownZod === undefined &&
    bytes !== undefined &&
    sha256(bytes) === record.hash
  );
}

async function settingsOf(entry: string): Promise<Readonly<Record<string, string>>> {
  const files = await Promise.all(["package.json", "tsconfig.json"].map((name) => nearestFile(dirname(entry), name)));
  const found = files.filter((file) => file !== undefined);
  return Object.fromEntries(await Promise.all(found.map(async (file) => [file, (await hashOf(file)) ?? ""])));
}

async function hashOf(file: string): Promise<string | undefined> {
  return readFile(file).then(sha256, () => undefined);
}

/** Writes map, bundle and record in this order, each whole at once. Where the cache cannot be written, a new temporary folder serves. */
async function store(folder: string, recordFile: string, output: BundleOutput, record: BundleRecord): Promise<string> {
  const write = async (target: string): Promise<string> => {
    const file = join(target, `${record.hash}.mjs`);
    await writeWhole(`${file}.map`, output.map);
    await writeWhole(file, output.code);
    return file;
  };
  try {
    const file = await write(folder);
    await writeWhole(recordFile, JSON.stringify(record));
    return file;
  } catch {
    return write(await mkdtemp(join(tmpdir(), "quire-plugin-")));
  }
}
