import { ToolError } from "@quire/core";
import picomatch from "picomatch";

const maxPatternLength = 1000;
/** More would let the matcher try very many ways for one path. */
const maxWildcards = 20;

/**
 * Compiles a glob for paths relative to `base`. A pattern without a slash is matched against the last part of a path.
 * `*` stays within a folder, `**` crosses them, `{a,b}` and `[a-z]` work, hidden names are matched like others.
 * @throws {ToolError} `glob-invalid`.
 */
export function compileGlob(pattern: string, base: string): (path: string) => boolean {
  const relativePattern = pattern.startsWith(`${base}/`)
    ? pattern.slice(base.length + 1)
    : pattern.replace(/^\.?\/+/, "");
  const wildcards = relativePattern.split(/\*+/).length - 1;
  if (relativePattern === "" || pattern.length > maxPatternLength || wildcards > maxWildcards) {
    throw invalid(pattern, "it is empty, too long, or has too many wildcards");
  }
  const isAnchored = relativePattern.includes("/") || relativePattern !== pattern;
  try {
    return picomatch(relativePattern, { dot: true, basename: !isAnchored, noextglob: true });
  } catch (error) {
    throw invalid(pattern, error instanceof Error ? error.message : String(error));
  }
}

function invalid(pattern: string, why: string): ToolError {
  return new ToolError({
    code: "glob-invalid",
    level: "error",
    message: `The glob ${JSON.stringify(pattern)} cannot be used: ${why}`,
    fix: "Write it like `*.ts` or `src/**/*.ts`, relative to `path`",
  });
}
