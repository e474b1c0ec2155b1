import type { Block, ToolContext } from "@quire/core";
import { ToolError } from "@quire/core";
import type { FileHandle } from "node:fs/promises";
import { open, stat } from "node:fs/promises";
import { fileError } from "./file-error.js";
import { imageKind } from "./image-kind.js";
import type { LinesRead } from "./line-reader.js";
import { readLines } from "./line-reader.js";
import { resolvePath, showPath } from "./tool-path.js";

export interface ReadArguments {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Lines of an answer when no `limit` is given. */
export const defaultLines = 2000;
/** UTF-8 bytes of text in one answer. */
export const maxTextBytes = 64 * 1024;
/** UTF-16 units of one line. */
export const maxLineLength = 2000;
/** Larger images are refused: in base64 they would pass the 5 MB that model vendors take. */
export const maxImageBytes = 3_700_000;
/** Files up to this size are read to their end, so that the answer can say how many lines there are. */
const countUpToBytes = 16 * 1024 * 1024;
const sniffBytes = 8192;

/** Text with line numbers, or an image. */
export async function readFileForModel(
  { path, offset = 1, limit = defaultLines }: ReadArguments,
  context: ToolContext,
): Promise<string | readonly Block[]> {
  const absolute = resolvePath(path, context);
  const shown = showPath(absolute, context.cwd);
  let handle: FileHandle | undefined;
  try {
    const { sizeBytes } = await regularFile(absolute, shown);
    handle = await open(absolute, "r");
    const head = await readHead(handle);
    const mime = imageKind(head);
    if (mime !== undefined) return await readImage(handle, { mime, shown, sizeBytes });
    refuseBinary(head, shown, sizeBytes);
    const range = { offset, limit, maxBytes: maxTextBytes, maxLineLength, countUpToBytes };
    const read = await readLines(handle, range, sizeBytes, context.signal);
    return renderText(read, { offset, shown });
  } catch (error) {
    context.signal.throwIfAborted();
    throw await fileError(error, "read", absolute, shown);
  } finally {
    await handle?.close();
  }
}

/** Pipes and devices could block for ever or never end, so only plain files pass. */
async function regularFile(absolute: string, shown: string): Promise<{ sizeBytes: number }> {
  const found = await stat(absolute);
  if (found.isFile()) return { sizeBytes: found.size };
  const isFolder = found.isDirectory();
  throw new ToolError({
    code: isFolder ? "path-folder" : "path-special",
    level: "error",
    message: `${shown} is ${isFolder ? "a folder" : "a pipe, socket or device"}, not a file`,
    fix: isFolder ? "Use `ls` to see what it holds" : "Name a plain file",
  });
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(sniffBytes);
  const { bytesRead } = await handle.read(head, 0, sniffBytes, 0);
  return head.subarray(0, bytesRead);
}

async function readImage(
  handle: FileHandle,
  { mime, shown, sizeBytes }: { mime: string; shown: string; sizeBytes: number },
): Promise<readonly Block[]> {
  if (sizeBytes > maxImageBytes) {
    throw new ToolError({
      code: "image-too-large",
      level: "error",
      message: `The image ${shown} has ${sizeBytes} bytes; at most ${maxImageBytes} can be shown`,
      fix: "Make a smaller copy with a shell command and read that",
    });
  }
  const bytes = await handle.readFile();
  return [
    { type: "text", text: `${shown} (${mime}, ${sizeBytes} bytes)` },
    { type: "image", mime, base64: bytes.toString("base64") },
  ];
}

function refuseBinary(head: Buffer, shown: string, sizeBytes: number): void {
  const mark = head.subarray(0, 2).toString("hex");
  const isWide = mark === "fffe" || mark === "feff";
  if (!isWide && !head.includes(0) && !head.subarray(0, 5).equals(Buffer.from("%PDF-"))) return;
  throw new ToolError({
    code: "file-binary",
    level: "error",
    message: isWide
      ? `${shown} is UTF-16 text; only UTF-8 can be read`
      : `${shown} is a binary file (${sizeBytes} bytes)`,
    fix: isWide
      ? "Convert a copy with `iconv -f UTF-16 -t UTF-8`"
      : "Look at it with a shell command made for its format",
  });
}

function renderText(read: LinesRead, { offset, shown }: { offset: number; shown: string }): string {
  if (read.lines.length === 0) {
    if (offset === 1) return read.byteOrderMark ? "(only a byte order mark)" : "(the file is empty)";
    throw new ToolError({
      code: "offset-invalid",
      level: "error",
      message: `${shown} has ${read.seen} lines, so there is no line ${offset}`,
      fix: `Give an offset between 1 and ${Math.max(1, read.seen)}`,
    });
  }
  const last = offset + read.lines.length - 1;
  const width = String(last).length;
  const body = read.lines.map(({ text, lostBytes }, index) => {
    const cut = lostBytes > 0 ? ` … (${lostBytes} more bytes in this line)` : "";
    return `${String(offset + index).padStart(width)} | ${text}${cut}`;
  });
  return [...body, ...notes(read, offset, last).map((note) => `[${note}]`)].join("\n");
}

function notes(read: LinesRead, offset: number, last: number): readonly string[] {
  const found: string[] = [];
  if (read.endsEarly) {
    const total = read.total === undefined ? "" : ` of ${read.total}`;
    found.push(`Lines ${offset} to ${last}${total}; read on with offset ${last + 1}`);
  }
  if (read.lines.some(({ lostBytes }) => lostBytes > 0)) {
    found.push(`Lines are cut at ${maxLineLength} characters; grep or a shell command shows the rest of a long one`);
  }
  if (read.crlf) found.push("Lines end in CRLF; edit keeps that by itself");
  if (read.byteOrderMark) found.push("The file starts with a byte order mark; edit keeps it");
  if (read.lossy) found.push("Some bytes are no UTF-8 and are shown as \uFFFD; edit refuses this file");
  return found;
}
