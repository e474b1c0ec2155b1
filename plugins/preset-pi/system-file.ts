import path from "node:path";
import { QuireError } from "@quire/core";
import type { PluginHost, SectionContent, SectionContext } from "@quire/core";

type Report = PluginHost["report"];
type FileName = "SYSTEM.md" | "APPEND_SYSTEM.md";

export interface SystemFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * The user's own prompt text in a file: the trusted project's, else the one for all projects. One that is empty or
 * cannot be read counts as absent.
 */
export async function findSystemFile(
  context: SectionContext,
  name: FileName,
  report: Report,
): Promise<SystemFile | undefined> {
  const inProject = [...new Set([context.cwd, context.projectRoot])].map((folder) => path.join(folder, ".pi", name));
  const own = path.join(context.home, ".pi", "agent", name);
  for (const file of [...inProject, own]) {
    const text = await readText(context, file, report);
    if (text === undefined) continue;
    if (file === own || context.trusted) return { file, text };
    report(untrusted(file));
  }
  return undefined;
}

/** The file's text as content that says where it stands. */
export function fileContent({ file, text }: SystemFile): SectionContent {
  return { kind: "items", items: [{ id: file, text, origin: { kind: "file", file, line: 1 } }] };
}

async function readText(context: SectionContext, file: string, report: Report): Promise<string | undefined> {
  try {
    const text = (await context.read(file))?.replace(/^\uFEFF/, "").trim();
    return text === "" ? undefined : text;
  } catch (error) {
    report({
      code: "system-file-unreadable",
      level: "warn",
      message: `${file} is left out: ${QuireError.is(error) ? error.diagnostic.message : String(error)}`,
      at: { kind: "file", file },
      fix: "Make it a readable UTF-8 text file, or move it away",
    });
    return undefined;
  }
}

function untrusted(file: string): Parameters<Report>[0] {
  return {
    code: "project-file-untrusted",
    level: "info",
    message: `${file} is not used, because the project is not trusted`,
    at: { kind: "file", file },
    fix: "Start with --trust to use it this once",
  };
}
