import { setTimeout as delay } from "node:timers/promises";
import { QuireError } from "@quire/core";
import type { Place } from "@quire/core";
import { lookAt } from "./disk-facts.js";
import { reasonOf } from "./problems.js";

/** The reader a compute uses: tracked or not, as the rule set says. */
export type Reader = (file: string, maxBytes: number) => Promise<string | null>;

export type ReadResult =
  | { readonly kind: "text"; readonly text: string; readonly realPath: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string };

export function readerOf(place: Pick<Place, "read">, track: boolean): Reader {
  return (file, maxBytes) => place.read(file, { maxBytes, track });
}

/**
 * Reads at most `maxBytes` of a text file. Whatever is wrong with it becomes a reason; what only stands there for the
 * moment, as a file does that is being written, is looked at a second time.
 */
export async function readText(read: Reader, file: string, maxBytes: number): Promise<ReadResult> {
  const { kind, realPath } = await lookAt(file);
  if (kind === "special") return { kind: "unreadable", why: "it is no regular file" };
  try {
    const text = await read(file, maxBytes).catch(async (error: unknown) => {
      if (!QuireError.is(error)) throw error;
      await delay(settleMs);
      return await read(file, maxBytes);
    });
    if (text === null) {
      return kind === "dangling" ? { kind: "unreadable", why: "it is a link to nothing" } : { kind: "absent" };
    }
    if (text.includes("\0")) return { kind: "unreadable", why: "it is no text, it holds NUL bytes" };
    return { kind: "text", text, realPath };
  } catch (error) {
    return { kind: "unreadable", why: reasonOf(error) };
  }
}

/** An editor replaces a file well within this time. */
const settleMs = 20;
