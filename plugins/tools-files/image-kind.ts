/** The mime type of a png, jpeg, gif or webp file by its first 12 bytes; undefined for anything else. */
export function imageKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 12)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}
