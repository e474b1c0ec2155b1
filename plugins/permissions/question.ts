import type { PermissionAnswer, PermissionRequest } from "@quire/core";
import type { MainArgument } from "./main-argument.js";

const maxShownLength = 2000;

/**
 * @param change The lines that the call would change.
 * @returns What the user is asked, with nothing in it that could move the cursor or turn the text around.
 */
export function renderQuestion(
  request: PermissionRequest,
  argument: MainArgument,
  change: readonly string[] = [],
): string {
  const { name } = request.call;
  const same = {
    command: "exactly this command",
    path: `${name} on this path`,
    other: `every call of ${name}`,
  }[argument.kind];
  return [
    `Allow ${visible(name)}?`,
    ...indent(shorten(visible(argument.text))),
    ...change.map((line) => `    ${visible(line)}`),
    ...request.reasons.map((reason) => `  (${visible(reason)})`),
    `y yes, n no, s yes and in this session ${same}, p yes and in this project ${same}`,
  ].join("\n");
}

/** `y`, `s` and `p` allow; anything else does not. */
export function readAnswer(answer: string | null): PermissionAnswer {
  switch (answer?.trim().toLowerCase()) {
    case "y":
    case "yes":
      return { allow: true, remember: "once" };
    case "s":
    case "session":
      return { allow: true, remember: "session" };
    case "p":
    case "project":
      return { allow: true, remember: "project" };
    default:
      return { allow: false };
  }
}

/** Control characters and marks of writing direction as escapes; line ends stay. */
function visible(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- these are what must not reach the terminal
    /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function shorten(text: string): string {
  if (text.length <= maxShownLength) return text;
  const half = maxShownLength / 2;
  return `${text.slice(0, half)}\n… ${text.length - maxShownLength} characters are not shown …\n${text.slice(-half)}`;
}

function indent(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
