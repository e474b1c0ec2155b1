import { count } from "../output/count.js";
import { table } from "../output/table.js";
import type { PromptDocument, SectionEntry } from "./prompt-document.js";

/** `agent prompt --map`: where the bytes of a prompt are, what they cost, whose they are. */
export function promptMap(document: PromptDocument): string {
  const inText = document.sections.filter(({ start }) => start !== null);
  const outside = document.sections.filter(({ start }) => start === null);
  const rows: string[][] = [["section", "bytes", "tokens", "tag", "owner"]];
  let passed = document.boundary === 0;
  for (const section of inText) {
    if (!passed && (section.start ?? 0) >= document.boundary) {
      rows.push(boundaryRow(document));
      passed = true;
    }
    rows.push(sectionRow(section));
  }
  if (!passed) rows.push(boundaryRow(document));
  const inSections = inText.reduce((sum, { bytes }) => sum + bytes, 0);
  rows.push(["(layout)", String(document.bytes - inSections), "", "", document.layout]);
  rows.push(["total", String(document.bytes), String(document.tokens), "", ""]);
  const { counts } = document;
  const toolBytes = document.tools.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    `preset ${document.preset}, layout ${document.layout}\n\n`,
    table(rows, { right: [1, 2] }),
    outside.length === 0 ? "" : `\noutside the prefix\n${table(outside.map(sectionRow), { right: [1, 2] })}`,
    `\n${count(counts.sections, "section")}, ${count(counts.instruction_files, "instruction file")}, `,
    `${count(counts.skills, "skill")}, ${count(counts.tools, "tool")} (${toolBytes} bytes)\n`,
    leftOut(document),
    ...document.cuts.map(cutLine),
  ].join("");
}

function cutLine({ section, item, kept_bytes: kept, marker, omitted }: PromptDocument["cuts"][number]): string {
  if (omitted > 0) return `cut: ${section}, ${omitted} left out for their size\n`;
  const what = item === null ? "" : ` ${item}`;
  const stands = marker === null || marker.trim() === "" ? "" : `, marked ${JSON.stringify(marker.trim())}`;
  return `cut: ${section}${what}, ${count(kept, "byte")} kept${stands}\n`;
}

function sectionRow(section: SectionEntry): string[] {
  return [section.name, String(section.bytes), String(section.tokens), tag(section), section.plugin];
}

/** `global` and `session` are the cacheable regions; a volatile section in the prefix breaks the cache. */
function tag(section: SectionEntry): string {
  if (section.cache === "memoized") return section.region === "global" ? "memoized, global" : "memoized";
  const how = section.deliver === "prefix" ? "cache-breaking" : section.deliver;
  return `volatile, ${how}: ${section.reason}`;
}

function boundaryRow(document: PromptDocument): string[] {
  return ["-- boundary --", String(document.boundary), "", "", ""];
}

function leftOut(document: PromptDocument): string {
  if (document.left_out.length === 0) return "";
  return `left out: ${document.left_out.map(({ name, why }) => `${name} (${why})`).join(", ")}\n`;
}
