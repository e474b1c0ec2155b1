/**
 * Encrypted thinking is kept as a thinking block without text, whose signature holds the data behind this mark; a real
 * signature is base64 and cannot begin so.
 */
const mark = "redacted_thinking:";

/** The signature under which encrypted thinking is kept. */
export function redactedSignature(data: string): string {
  return mark + data;
}

/** The encrypted data a signature holds; undefined for an ordinary signature. */
export function redactedData(signature: string): string | undefined {
  return signature.startsWith(mark) ? signature.slice(mark.length) : undefined;
}
