import type { Block } from "@quire/core";
import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

type Media = Extract<Block, { type: "image" | "file" }>;

/** An image or a file as the vendor takes it; a kind it does not take becomes a note in its place. */
export function mediaBlock(block: Media): ImageBlockParam | DocumentBlockParam | TextBlockParam {
  const { mime, base64 } = block;
  if (block.type === "image") {
    return isImageType(mime)
      ? { type: "image", source: { type: "base64", media_type: mime, data: base64 } }
      : leftOut(`image of type ${mime}`);
  }
  if (mime === "application/pdf") {
    const source = { type: "base64", media_type: mime, data: base64 } as const;
    return { type: "document", title: block.name, source };
  }
  if (!mime.startsWith("text/") && mime !== "application/json") {
    return leftOut(`file ${block.name} of type ${mime}`);
  }
  const data = Buffer.from(base64, "base64").toString("utf8");
  if (data.trim() === "") return leftOut(`empty file ${block.name}`);
  return { type: "document", title: block.name, source: { type: "text", media_type: "text/plain", data } };
}

function leftOut(what: string): TextBlockParam {
  return { type: "text", text: `[left out: ${what}]` };
}

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

function isImageType(mime: string): mime is Base64ImageSource["media_type"] {
  return imageTypes.some((type) => type === mime);
}
