import { QuireError } from "@quire/core";
import type { Diagnostic } from "@quire/core";

const fixes = {
  "instruction-file-unreadable":
    "Make it a readable UTF-8 text file, or move it away; a file of instruction_files.extra may also be taken out there",
  "instruction-file-outside": "Trust the project with --trust, or copy the file instead of linking it",
  "instruction-file-cut": "Shorten it, or raise instruction_files.file_budget",
  "instruction-file-hidden": "Join the two, or move one away",
  "instruction-rule-invalid": "Write paths: as one glob or a list of globs, in quotes",
  "instruction-include-unreadable": "Make it a readable UTF-8 text file, or take the @path out",
  "instruction-include-outside": "Trust the project with --trust, or move the file into the project",
  "instruction-include-deep": "Include fewer steps, or raise instruction_files.include_depth",
} as const;

/** One finding about an instruction file. */
export function fileProblem(
  code: keyof typeof fixes,
  file: string,
  message: string,
  more: Partial<Pick<Diagnostic, "level" | "at">> = {},
): Diagnostic {
  return {
    code,
    level: "warn",
    message,
    at: { kind: "file", file },
    section: "agents-md/files",
    fix: fixes[code],
    ...more,
  };
}

/** Why a file could not be read, in words. */
export function reasonOf(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  if (!(error instanceof Error)) return String(error);
  const known = "code" in error ? plainReasons.get(error.code) : undefined;
  return known ?? error.message;
}

const plainReasons: ReadonlyMap<unknown, string> = new Map([
  ["EISDIR", "it is a folder"],
  ["EACCES", "you may not read it"],
  ["ELOOP", "it is a link that leads back to itself"],
]);
