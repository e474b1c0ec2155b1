import type { Block } from "@quire/core";
import type { ChatCompletionContentPart } from "openai/resources/chat/completions";
import { leftOutNote, textOfFile } from "../media-note.js";
import type { Media } from "../media-note.js";

/** What the model at the other end can look at. */
export interface MediaAbility {
  readonly images: boolean;
  /** PDF files. */
  readonly files: boolean;
}

/** An image or a file as the vendor takes it; a kind it does not take becomes a note in its place. */
export function mediaPart(block: Media, ability: MediaAbility): ChatCompletionContentPart {
  const { mime, base64 } = block;
  const url = `data:${mime};base64,${base64}`;
  if (block.type === "image") {
    return /^image\/(jpeg|png|gif|webp)$/.test(mime) && base64 !== "" && ability.images
      ? { type: "image_url", image_url: { url } }
      : { type: "text", text: leftOutNote(block) };
  }
  const text = textOfFile(block);
  if (text !== undefined) return { type: "text", text };
  return mime === "application/pdf" && base64 !== "" && ability.files
    ? { type: "file", file: { filename: block.name, file_data: url } }
    : { type: "text", text: leftOutNote(block) };
}

export function isMedia(block: Block): block is Media {
  return block.type === "image" || block.type === "file";
}
