import type { Block } from "@quire/core";
import type { ResponseInputFile, ResponseInputImage, ResponseInputText } from "openai/resources/responses/responses";
import { leftOutNote, textOfFile } from "../media-note.js";

export type InputPart = ResponseInputText | ResponseInputImage | ResponseInputFile;

/** What the user or a tool gave, as the vendor takes it; a kind it does not take becomes a note in its place. */
export function inputParts(blocks: readonly Block[], takesImages: boolean): InputPart[] {
  return blocks.flatMap((block): InputPart[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "input_text", text: block.text }];
    if (block.type !== "image" && block.type !== "file") return [];
    const { mime, base64 } = block;
    const url = `data:${mime};base64,${base64}`;
    if (block.type === "image" && /^image\/(jpeg|png|gif|webp)$/.test(mime) && base64 !== "" && takesImages) {
      return [{ type: "input_image", detail: "auto", image_url: url }];
    }
    if (block.type === "file" && mime === "application/pdf" && base64 !== "" && takesImages) {
      return [{ type: "input_file", filename: block.name, file_data: url }];
    }
    return [{ type: "input_text", text: textOfFile(block) ?? leftOutNote(block) }];
  });
}
