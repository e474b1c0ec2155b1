/** UTF-8 length in bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

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
  while (isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start).toString("utf8");
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
