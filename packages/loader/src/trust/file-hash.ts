import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { sha256 } from "@quire/core/host";

/** SHA-256 of bytes that were read, or `unreadable`. */
export function hashOfBytes(bytes: Uint8Array | Error | null): string {
  return bytes === null || bytes instanceof Error ? "unreadable" : sha256(bytes);
}

/** SHA-256 of a file of any size, in small memory; `unreadable` for what is no readable file. */
export async function hashOfFile(file: string): Promise<string> {
  if ((await stat(file).catch(() => null))?.isFile() !== true) return "unreadable";
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  } catch {
    return "unreadable";
  }
  return hash.digest("hex");
}
