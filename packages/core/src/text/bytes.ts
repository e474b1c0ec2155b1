import { createHash } from "node:crypto";

/** SHA-256 of UTF-8 text or bytes, in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** UTF-8 length in bytes. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/** The longest beginning of `text` that takes at most `maxBytes` and ends between characters. */
export function headBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const head = Buffer.from(text, "utf8").subarray(0, Math.max(0, maxBytes));
  // As part of a stream: a character that is not whole yet is held back.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(head, { stream: true });
}

/** The longest end of `text` that takes at most `maxBytes` and begins between characters. */
export function tailBytes(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text, "utf8");
  let start = bytes.length - Math.max(0, maxBytes);
  // A byte of the form 10xxxxxx goes on with a character.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString("utf8");
}
