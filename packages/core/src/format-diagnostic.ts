import type { Diagnostic, Origin } from "./contracts/diagnostic.js";

/** One line of text: `[code] message (file:line). How to mend.` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const who = [diagnostic.plugin, diagnostic.hook, diagnostic.section].filter((part) => part !== undefined);
  const prefix =
    who.length > 0 && !who.every((part) => diagnostic.message.includes(part)) ? `${who.join(" · ")}: ` : "";
  const place = diagnostic.at === undefined ? "" : formatPlace(diagnostic.at);
  const fix = diagnostic.fix === undefined ? "" : ` ${diagnostic.fix}${/[.!?]$/.test(diagnostic.fix) ? "" : "."}`;
  const end = /[.!?]$/.test(diagnostic.message) && place === "" ? "" : ".";
  return `[${diagnostic.code}] ${prefix}${diagnostic.message}${place}${end}${fix}`;
}

function formatPlace(origin: Origin): string {
  if (origin.file === undefined) return "";
  return ` (${origin.file}${origin.line === undefined ? "" : `:${origin.line}`})`;
}
