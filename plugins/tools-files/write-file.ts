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
    const size = `${countLines(content)} lines, ${Buffer.byteLength(content)} bytes`;
    return previousBytes === null
      ? `Created ${shown}: ${size}`
      : `Replaced ${shown}: ${size} (before: ${previousBytes} bytes)`;
  } catch (error) {
    throw await fileError(error, "write", absolute, shown);
  }
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
