import type { ConversationMark } from "@quire/testkit";
import type { WireModeCase } from "./wire-modes.js";

/**
 * What a body lacks of the words of a conversation, and what it holds too much. "Missing" means:
 *
 * - `user`, `assistant`, `context`, `tail`, `result`: the text that holds the word does not stand in the body, character
 *   by character; true of every mode. Texts of nothing but white space carry no word and may be left out.
 * - `call`: its arguments stand nowhere, neither as a call nor, where no tools are declared, in words.
 * - Of all these: the word stands there twice.
 * - `image`: neither its data nor a note that an image of its type was left out, for a type or a model that takes none.
 * - `file`: neither its data, nor its text (a text file, whose name stands beside it), nor a note with its name.
 * - `thinking`: never missing. It must not stand there when another provider made it or when it is not signed: no vendor
 *   takes that back. Chat Completions takes none at all.
 */
export function missingIn(body: unknown, marks: readonly ConversationMark[], mode: WireModeCase): string[] {
  const text = JSON.stringify(body);
  return marks.flatMap((mark) => {
    const { kind, word } = mark;
    if (kind === "thinking") {
      const isOurs = mark.provider === mode.provider.name && mark.isSigned === true;
      const mayStand = isOurs && mode.provider.api !== "openai-chat";
      return text.includes(word) && !mayStand ? [`thinking ${word} went to ${mode.name}`] : [];
    }
    if (kind === "image") {
      const note = `[left out: image of type ${mark.mime ?? ""}]`;
      return text.includes(Buffer.from(word).toString("base64")) || text.includes(note)
        ? []
        : [`image ${word} is missing`];
    }
    // A late text that is joined to others may lose the line breaks at its end.
    const whole = mark.text === undefined ? word : JSON.stringify(mark.text.trimEnd()).slice(1, -1);
    if (!text.includes(whole)) return [`${kind} ${word} is missing`];
    return kind !== "file" && text.split(word).length > 2 ? [`${kind} ${word} stands there twice`] : [];
  });
}
