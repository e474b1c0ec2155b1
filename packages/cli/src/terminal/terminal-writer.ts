import { TextWriter } from "../turn/text-writer.js";

/** Text as it streams; calls and answers of tools in dim lines between, and at the end what the turn cost. */
export function terminalWriter(out: (text: string) => void, colors: boolean): TextWriter {
  const dim = (text: string) => out(colors ? `\u001b[2m${text.replace(/\n$/, "")}\u001b[0m\n` : text);
  return new TextWriter(out, dim, { results: "all", bill: true, streams: true });
}
