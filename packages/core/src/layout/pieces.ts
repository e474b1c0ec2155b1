import type { Pieces } from "../index.js";

/** All the text, without its authors. */
export function piecesText(pieces: Pieces): string {
  return pieces.map((piece) => piece.text).join("");
}

/** Whether a stranger's value can stand for pieces; who wrote one may be missing. */
export function isPieces(value: unknown): value is Pieces {
  return Array.isArray(value) && value.every((piece: { text?: unknown } | null) => typeof piece?.text === "string");
}
