import { QuireError, type Config } from "@quire/core";
import { isRecord } from "../record.js";
import { yamlLibrary } from "../yaml-library.js";

export interface FrontMatter {
  /** Empty without front matter. */
  readonly data: Config;
  /** The rest, its line ends kept, without the byte order mark. */
  readonly body: string;
  /** The line of `text` that the body starts at, from 1. */
  readonly bodyLine: number;
}

/**
 * Splits front matter from a Markdown text: YAML between a first line `---` and the next line `---`. A text whose
 * first line is no `---`, or that never closes it, has none. Byte order mark and CRLF are understood.
 * @throws {QuireError} `front-matter-invalid` with the line in the text.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const block = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(plain);
  if (block === null) return { data: {}, body: plain, bodyLine: 1 };
  return {
    data: parseData(block[1] ?? ""),
    body: plain.slice(block[0].length),
    bodyLine: block[0].split("\n").length,
  };
}

function parseData(source: string): Config {
  if (source.trim() === "") return {};
  const { LineCounter, parseDocument } = yamlLibrary();
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false, logLevel: "silent" });
  const error = document.errors[0];
  if (error !== undefined) throw invalid(error.message, lineCounter.linePos(error.pos[0]).line + 1);
  const data = toPlain(() => document.toJS() as unknown);
  if (data === null) return {};
  if (!isRecord(data)) throw invalid("It is not a list of `key: value` lines", 2);
  return data;
}

/** Aliases that multiply without end are found only while the values are built. */
function toPlain(build: () => unknown): unknown {
  try {
    return build();
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error), 2);
  }
}

function invalid(message: string, line: number): QuireError {
  return new QuireError({
    code: "front-matter-invalid",
    level: "error",
    message: `The front matter cannot be read, line ${line}: ${message}`,
    at: { kind: "file", line },
    fix: "Write `key: value` lines between two lines `---`, or remove both; put values that hold `: ` or `#` in quotes",
  });
}
