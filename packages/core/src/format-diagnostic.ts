import type { Diagnostic } from "./index.js";

/** One line of text: `[code] message (file:line). How to mend.` */
export function formatDiagnostic({ code, message, fix = "", at, plugin, hook, section }: Diagnostic): string {
  const who = [plugin, hook, section].filter((part) => part !== undefined);
  const prefix = who.every((part) => message.includes(part)) ? "" : `${who.join(" · ")}: `;
  const place = at?.file === undefined ? "" : ` (${at.file}${at.line === undefined ? "" : `:${at.line}`})`;
  const ended = (text: string) => (text === "" || /[.!?]$/.test(text) ? text : `${text}.`);
  return `[${code}] ${prefix}${ended(message + place)} ${ended(fix)}`.trimEnd();
}
