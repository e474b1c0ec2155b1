import type { Block } from "@quire/core";
import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

export type Media = Extract<Block, { type: "image" | "file" }>;

/** An image or a file as the vendor takes it; a kind that it or the model does not take becomes a note in its place. */
export function mediaBlock(block: Media, takesImages: boolean): ImageBlockParam | DocumentBlockParam | TextBlockParam {
  const { mime, base64 } = block;
  if (block.type === "image") {
    return isImageType(mime) && base64 !== "" && takesImages
      ? { type: "image", source: { type: "base64", media_type: mime, data: base64 } }
      : leftOutNote(block);
  }
  if (mime === "application/pdf" && base64 !== "" && takesImages) {
    const source = { type: "base64", media_type: mime, data: base64 } as const;
    return { type: "document", title: block.name, source };
  }
  if (!mime.startsWith("text/") && mime !== "application/json") {
    return leftOutNote(block);
  }
  const data = Buffer.from(base64, "base64").toString("utf8");
  if (data.trim() === "") return { type: "text", text: `[left out: empty file ${block.name}]` };
  return { type: "document", title: block.name, source: { type: "text", media_type: "text/plain", data } };
}

/** Stands in the place of what cannot be shown. */
export function leftOutNote(block: Media): TextBlockParam {
  const what = block.type === "image" ? "image" : `file ${block.name}`;
  return { type: "text", text: `[left out: ${what} of type ${block.mime}]` };
}

const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

function isImageType(mime: string): mime is Base64ImageSource["media_type"] {
  return imageTypes.some((type) => type === mime);
}
