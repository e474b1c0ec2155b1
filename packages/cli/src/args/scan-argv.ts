import { flagAliases, flagTable, type FlagSpec } from "./flag-table.js";

/** What must be known about the arguments before the command tree is built. */
export interface ArgvScan {
  /** With aliases replaced. */
  readonly argv: readonly string[];
  readonly print: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** The arguments that are neither flags nor values of flags. */
  readonly words: readonly string[];
  /** The first word, unless it stands behind `--`, where nothing is a subcommand. */
  readonly head: string | undefined;
}

const versionFlags: readonly string[] = ["--version", "-v", "-V"];
const byLong = new Map(flagTable.map((flag) => [`--${flag.name}`, flag]));
const byShort = new Map(flagTable.map((flag) => [flag.short, flag]));

/** Reads flags and words apart. Flags that only a subcommand knows count as switches here. */
export function scanArgv(given: readonly string[]): ArgvScan {
  const argv: string[] = [];
  const words: string[] = [];
  let print = false;
  let help = false;
  let version = false;
  for (let index = 0; index < given.length; index++) {
    const raw = given[index] ?? "";
    if (raw === "--") {
      const rest = given.slice(index);
      const all = [...words, ...rest.slice(1)];
      return { argv: [...argv, ...rest], print, help, version, words: all, head: words[0] };
    }
    const token = raw.replace(/^--?[^=]+/, (name) => flagAliases[name] ?? name);
    argv.push(token);
    const flags = flagsOf(token);
    if (flags === undefined) words.push(token);
    print ||= flags?.some((flag) => flag.name === "print") ?? false;
    help ||= token === "--help" || token === "-h";
    version ||= versionFlags.includes(token);
    if (flags !== undefined && takesNext(token, flags) && index + 1 < given.length) {
      index++;
      argv.push(given[index] ?? "");
    }
  }
  return { argv, print, help, version, words, head: words[0] };
}

/** The known flags in one token, or undefined when the token is a word. `-pC` is two flags. */
function flagsOf(token: string): readonly FlagSpec[] | undefined {
  if (!token.startsWith("-") || token === "-") return undefined;
  if (token.startsWith("--")) {
    const flag = byLong.get(token.split("=", 1)[0] ?? token);
    return flag === undefined ? [] : [flag];
  }
  const flags: FlagSpec[] = [];
  for (const letter of token.slice(1)) {
    const flag = byShort.get(letter);
    if (flag === undefined) break;
    flags.push(flag);
    if (flag.value !== undefined) break;
  }
  return flags;
}

function takesNext(token: string, flags: readonly FlagSpec[]): boolean {
  const last = flags.at(-1);
  if (last?.value === undefined) return false;
  return token.startsWith("--") ? !token.includes("=") : token.endsWith(last.short ?? "");
}
