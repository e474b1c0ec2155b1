import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, parse, resolve } from "node:path";
import { ConfigError, type Attrs } from "@quire/core";
import type { HostOptions } from "@quire/core/host";

/**
 * The user's own folder: `$QUIRE_HOME`, or `.quire` in the home folder. A relative one counts from `typedAt`.
 * @throws {ConfigError} `home-missing`: without a home of the user's own, `.quire` would be whatever folder this is.
 */
export function quireHomeOf(environment: Attrs, home: string, typedAt: string): string {
  const given = environment["QUIRE_HOME"];
  if (given === undefined || given === "") {
    if (isAbsolute(home)) return join(home, ".quire");
    const message = `The home folder is ${JSON.stringify(home)}, which is no absolute path`;
    throw new ConfigError({ code: "home-missing", level: "error", message, fix: "Set HOME or QUIRE_HOME" });
  }
  return resolve(typedAt, expandHome(given, home));
}

/** Replaces a leading `~`. */
export function expandHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}

/**
 * Replaces a leading `~/` or `$NAME/`. A relative path stays relative.
 * @returns Undefined when the variable is not set.
 */
export function expandPath(path: string, home: string, environment: Attrs): string | undefined {
  const [, name, rest = ""] = /^\$([A-Za-z_][A-Za-z0-9_]*)(\/.*)?$/.exec(path) ?? [];
  if (name === undefined) return expandHome(path, home);
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  return value === undefined || value === "" ? undefined : expandHome(value, home) + rest;
}

/** The nearest folder upwards with a `.git` entry of any kind, a dangling link included; else `cwd` itself. */
export function projectRootOf(cwd: string): string {
  const root = parse(cwd).root;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
    if (folder === root) return cwd;
  }
}

/** `os (arch)`, for example `linux (x64)`. */
export function platformOf(os: string = process.platform, arch: string = process.arch): string {
  return `${os} (${arch})`;
}

/**
 * The file stem of the interpreter that commands run in, or `(none)`.
 * @param systemFolders Where it is looked for beside PATH, as the system does for a process without one.
 */
export function shellOf(environment: Attrs, systemFolders: readonly string[] = ["/bin", "/usr/bin"]): string {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return [...folders, ...systemFolders].some((folder) => isProgram(join(folder, "bash"))) ? "bash" : "(none)";
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

type HostPlace = ReturnType<HostOptions["place"]>;

/**
 * Describes any folder as a place to work in.
 * @param trustedRoot The project whose own config, plugins and section files may be used.
 */
export function placeFinder(facts: {
  readonly home: string;
  readonly quireHome: string;
  readonly environment: Attrs;
  readonly trustedRoot: string | undefined;
}): (cwd: string) => HostPlace {
  const { home, quireHome, environment, trustedRoot } = facts;
  const machine = { platform: platformOf(), shell: shellOf(environment) };
  return (cwd) => {
    const projectRoot = projectRootOf(cwd);
    return {
      cwd,
      projectRoot,
      home,
      quireHome,
      ...machine,
      trusted: projectRoot === trustedRoot,
      env: (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined),
    };
  };
}
