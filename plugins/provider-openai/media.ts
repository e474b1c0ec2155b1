import type { Block } from "@quire/core";
import type { ChatCompletionContentPart } from "openai/resources/chat/completions";

type Media = Extract<Block, { type: "image" | "file" }>;

/** An image or a file as the vendor takes it; a kind it does not take becomes a note in its place. */
export function mediaPart(block: Media, takesFiles: boolean): ChatCompletionContentPart {
  const { mime, base64 } = block;
  const url = `data:${mime};base64,${base64}`;
  if (block.type === "image") {
    return /^image\/(jpeg|png|gif|webp)$/.test(mime)
      ? { type: "image_url", image_url: { url } }
      : leftOut(`image of type ${mime}`);
  }
  if (mime.startsWith("text/") || mime === "application/json") {
    return { type: "text", text: `${block.name}:\n${Buffer.from(base64, "base64").toString("utf8")}` };
  }
  return mime === "application/pdf" && takesFiles
    ? { type: "file", file: { filename: block.name, file_data: url } }
    : leftOut(`file ${block.name} of type ${mime}`);
}

function leftOut(what: string): ChatCompletionContentPart {
  return { type: "text", text: `[left out: ${what}]` };
}
