import type { ToolContext } from "@quire/core";
import { writeAtomically } from "./atomic-write.js";
import { fileError } from "./file-error.js";
import { resolvePath, showPath } from "./tool-path.js";

export interface WriteArguments {
  readonly path: string;
  readonly content: string;
}

/** Makes or replaces a file and says what was done. */
export async function writeFileForModel({ path, content }: WriteArguments, context: ToolContext): Promise<string> {
  const absolute = resolvePath(path, context);
  const shown = showPath(absolute, context.cwd);
  context.signal.throwIfAborted();
  try {
    const { previousBytes } = await writeAtomically(absolute, content);
    const size = `${counted(countLines(content), "line")}, ${counted(Buffer.byteLength(content), "byte")}`;
    return previousBytes === null
      ? `Created ${shown}: ${size}`
      : `Replaced ${shown}: ${size} (before: ${counted(previousBytes, "byte")})`;
  } catch (error) {
    throw await fileError(error, "write", absolute, shown);
  }
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
