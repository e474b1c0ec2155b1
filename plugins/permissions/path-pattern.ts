import { join } from "node:path";

/** One way to name a file. */
export interface NamedPath {
  readonly absolute: string;
  /** Below the project root, with "/" between the parts, empty for the root itself; null outside of it. */
  readonly relative: string | null;
}

/**
 * Whether a path fits a pattern. A pattern is relative to the project root and then fits nothing outside of it, or starts
 * with `/` or `~/`. `*` and `?` stay within one folder, `**` crosses folders, an ending `/` means all below.
 */
export function fitsPath(pattern: string, path: NamedPath, home: string): boolean {
  if (pattern.startsWith("/")) return compile(pattern).test(path.absolute);
  if (pattern.startsWith("~/")) return compile(join(home, pattern.slice(2))).test(path.absolute);
  return path.relative !== null && compile(pattern.replace(/^(?:\.\/)+/, "")).test(path.relative);
}

function compile(pattern: string): RegExp {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern;
  const source = whole.replace(/\/\*\*$|\*\*\/|\*\*|\*|\?|[^*?/]+|\//g, (part, at: number) => {
    if (part === "/**") return "(?:/.*)?";
    if (part === "**/") return at === 0 || whole[at - 1] === "/" ? "(?:.*/)?" : ".*/";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}
