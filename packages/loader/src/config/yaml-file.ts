import { ConfigError, type Config } from "@quire/core";
import { isRecord } from "../record.js";
import { yamlLibrary } from "../yaml-library.js";

/** A YAML mapping and where each of its values stands. */
export interface YamlFile {
  readonly file: string;
  /** Keys of the top level that have no value are left out. */
  readonly value: Config;
  /** The line of the nearest key or item on the way to `path`, from 1. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * @param source UTF-8 bytes of the file; a byte order mark is dropped.
 * @throws {ConfigError} `config-invalid` with file and line.
 */
export function parseYamlFile(source: Uint8Array, file: string): YamlFile {
  const text = decode(source, file);
  const { LineCounter, isMap, isNode, isPair, isScalar, isSeq, parseDocument } = yamlLibrary();
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: "silent" });
  const error = document.errors[0];
  if (error !== undefined) {
    // What is missing at the end is missing on the last line that says something.
    const at = Math.min(error.pos[0], text.trimEnd().length);
    throw invalid(file, lineCounter.linePos(at).line, describe(error.message));
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (cause) {
    throw invalid(file, 1, cause instanceof Error ? cause.message : String(cause));
  }
  if (value !== null && value !== undefined && !isRecord(value)) {
    throw invalid(file, 1, `This is ${Array.isArray(value) ? "a list" : "a single value"}, not \`key: value\` lines`);
  }

  const lines = new Map<string, number>();
  const note = (node: unknown, path: readonly string[]): void => {
    if (isMap(node)) {
      for (const pair of node.items)
        noteChild(pair, pair.key, path, String(isScalar(pair.key) ? pair.key.value : pair.key));
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => noteChild(item, item, path, String(index)));
    }
  };
  const noteChild = (child: unknown, at: unknown, path: readonly string[], name: string): void => {
    const own = [...path, name];
    if (isNode(at) && at.range) lines.set(JSON.stringify(own), lineCounter.linePos(at.range[0]).line);
    note(isPair(child) ? child.value : child, own);
  };
  note(document.contents, []);

  return {
    file,
    value: Object.fromEntries(Object.entries(value ?? {}).filter(([, entry]) => entry !== null)),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(JSON.stringify(path.slice(0, length).map(String)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  };
}

function decode(source: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    throw invalid(file, 1, "It is not UTF-8 text");
  }
}

/** The library's messages say what; tabs are the one mistake whose message does not. */
function describe(message: string): string {
  return /tab/i.test(message) ? `${message} (YAML indents with spaces, never with tabs)` : message;
}

function invalid(file: string, line: number, message: string): ConfigError {
  return new ConfigError({
    code: "config-invalid",
    level: "error",
    message: `The YAML cannot be read: ${message}`,
    at: { kind: "config", file, line },
    fix: `Mend line ${line}, then run \`agent config check\``,
  });
}
