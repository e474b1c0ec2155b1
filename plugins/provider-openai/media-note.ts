import type { Block } from "@quire/core";

export type Media = Extract<Block, { type: "image" | "file" }>;

/** Stands in the place of what a model cannot look at. */
export function leftOutNote(block: Media): string {
  const what = block.type === "image" ? "image" : `file ${block.name}`;
  return `[left out: ${what} of type ${block.mime}]`;
}

/** A file of text as text under its name; undefined for another kind. */
export function textOfFile(block: Media): string | undefined {
  if (block.type !== "file" || !(block.mime.startsWith("text/") || block.mime === "application/json")) return undefined;
  return `${block.name}:\n${Buffer.from(block.base64, "base64").toString("utf8")}`;
}
