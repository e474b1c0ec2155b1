import type { Diagnostic, SectionContent, SectionItem } from "@quire/core";
import { headOfText } from "./cut-text.js";
import type { InstructionFile } from "./instruction-file.js";
import { maxChainBytes } from "./options.js";
import { fileProblem } from "./problems.js";

export interface ContentRules {
  readonly intro: string;
  /** The text when there is no file; empty: no section. */
  readonly missing: string;
  readonly trimEnd: boolean;
  /** UTF-8 bytes of one file, the marker included. */
  readonly fileBudget: number | undefined;
  readonly fileMarker: string;
  readonly keep: "first" | "last";
}

export interface InstructionContent {
  readonly content: SectionContent | null;
  readonly problems: readonly Diagnostic[];
}

/**
 * One item for each file with text, named by its path. A file that could not be read is an item with an empty text and
 * the attribute `unreadable`, which a layout passes over.
 */
export function instructionContent(files: readonly InstructionFile[], rules: ContentRules): InstructionContent {
  const shown = fitIntoSection(files, rules.keep).filter(
    ({ text, isUnreadable }) => isUnreadable === true || text.trim() !== "",
  );
  const items = shown.map((file) => instructionItem(file, rules));
  const problems = items.filter(({ cut }) => cut !== undefined).map(({ id }) => tooLong(id, rules.fileBudget ?? 0));
  const { missing, intro } = rules;
  if (items.length === 0 && missing === "") return { content: null, problems };
  const content = {
    kind: "items" as const,
    items,
    ...(intro === "" ? {} : { intro }),
    ...(missing === "" ? {} : { empty: missing }),
  };
  return { content, problems };
}

function instructionItem(file: InstructionFile, rules: ContentRules): SectionItem {
  const text = rules.trimEnd ? file.text.replace(/[\r\n]+$/, "") : file.text;
  const isCut = rules.fileBudget !== undefined && Buffer.byteLength(text) > rules.fileBudget;
  const room = (rules.fileBudget ?? 0) - Buffer.byteLength(rules.fileMarker);
  return {
    id: file.path,
    text: isCut ? headOfText(text, room) : text,
    attrs: {
      path: file.path,
      ...(file.scope === undefined ? {} : { scope: file.scope }),
      ...(file.includedBy === undefined ? {} : { "included-by": file.includedBy }),
      ...(file.isUnreadable === true ? { unreadable: "true" } : {}),
    },
    origin: { kind: "file", file: file.path, line: file.line },
    ...(isCut ? { cut: rules.fileMarker } : {}),
  };
}

function tooLong(file: string, maxBytes: number): Diagnostic {
  const message = `The instruction file ${file} is cut: it has more than ${maxBytes} bytes`;
  return fileProblem("instruction-file-cut", file, message);
}

/** However many files there are, a section holds so much. What is left stays above the limit, so that the cut is told. */
function fitIntoSection(files: readonly InstructionFile[], keep: "first" | "last"): readonly InstructionFile[] {
  let room = maxChainBytes;
  const fit = (file: InstructionFile): InstructionFile => {
    const size = Buffer.byteLength(file.text);
    const fitted = size <= room ? file : { ...file, text: headOfText(file.text, Math.max(0, room) + 1024) };
    room -= size;
    return fitted;
  };
  return keep === "first" ? files.map(fit) : files.toReversed().map(fit).toReversed();
}
