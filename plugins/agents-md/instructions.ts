import type { Diagnostic, PluginHost, SectionBody, SectionContent, SectionContext } from "@quire/core";
import cutMarker from "../../prompts/agents-md/cut.md";
import fileCutMarker from "../../prompts/agents-md/file-cut.md";
import intro from "../../prompts/agents-md/intro.md";
import { instructionContent } from "./content.js";
import { withIncludes } from "./include-files.js";
import { loadChain } from "./load-chain.js";
import type { NamedFiles } from "./named-files.js";
import { maxChainBytes, type InstructionFileOptions } from "./options.js";
import { isMatchingWork } from "./path-rules.js";
import { readerOf } from "./read-text.js";
import type { SessionReading } from "./reading.js";
import { spotsOf } from "./spots.js";

export interface InstructionsInput {
  readonly options: InstructionFileOptions;
  readonly frontMatter: PluginHost["frontMatter"];
  readonly named: NamedFiles;
  readonly reading: SessionReading;
  /** Hears each finding once. */
  report(problem: Diagnostic): void;
}

/** The section's body by a rule set: what is read, when, and what of it is kept. */
export function instructionsBody(input: InstructionsInput): SectionBody {
  const { options } = input;
  const maxBytes = options.budget === false ? maxChainBytes : options.budget;
  const reported = new Set<string>();
  /** Sessions in which some file is limited to matching work: for them alone it matters what is named. */
  const limited = new Set<string>();
  const keyOf = ({ session }: SectionContext) =>
    limited.has(session.id) ? JSON.stringify(input.named.of(session.id)) : "";
  return {
    cache:
      options.reading === "turn"
        ? { volatile: "instruction files are read anew for each turn", deliver: "prefix" }
        : "memoized",
    budget: {
      maxBytes,
      overflow: "cut",
      keep: options.keep,
      marker: () => markerLine(options.marker ?? cutMarker, maxBytes),
    },
    when: () => options.enabled,
    key: keyOf,
    async compute(context) {
      const loaded = await load(context, keyOf(context), maxBytes, input);
      if (loaded.isLimited) limited.add(context.session.id);
      for (const problem of loaded.problems.filter(({ message }) => !reported.has(message))) {
        reported.add(problem.message);
        input.report(problem);
      }
      return loaded.content;
    },
  };
}

interface Loaded {
  readonly content: SectionContent | null;
  readonly problems: readonly Diagnostic[];
  readonly isLimited: boolean;
}

async function load(context: SectionContext, key: string, maxBytes: number, input: InstructionsInput): Promise<Loaded> {
  const { options, frontMatter } = input;
  const { read, list } =
    options.reading === "session"
      ? input.reading.placeFor(context, key)
      : { read: readerOf(context, true), list: context.list.bind(context) };
  const { cwd, projectRoot, home, trusted } = context;
  const work = { cwd, projectRoot, files: input.named.of(context.session.id) };
  const fileBudget = options.file_budget === false ? undefined : Math.min(options.file_budget, maxBytes);
  const rules = {
    maxBytes: fileBudget ?? maxBytes,
    pathRules: options.path_rules,
    countUnreadable: options.count_unreadable,
    reportHidden: options.report_hidden,
  };
  const reach = {
    place: { projectRoot, home, trusted, list },
    read,
    frontMatter,
    rules,
    work,
    depth: options.include_depth,
  };
  const chain = await loadChain(spotsOf(context, options), reach);
  const all = options.includes ? await withIncludes(chain.files, reach) : { files: chain.files, problems: [] };
  const matching = all.files.filter(({ paths }) => paths === undefined || isMatchingWork(paths, work));
  const { content, problems } = instructionContent(matching, {
    intro: (options.intro ?? intro).trim(),
    missing: options.missing,
    trimEnd: options.trim_end,
    fileBudget,
    fileMarker: markerLine(options.file_marker ?? fileCutMarker, fileBudget ?? 0),
    keep: options.keep,
  });
  return {
    content,
    problems: [...chain.problems, ...all.problems, ...problems],
    isLimited: all.files.some(({ paths }) => paths !== undefined),
  };
}

/** A marker stands on a line of its own. */
function markerLine(marker: string, maxBytes: number): string {
  return `\n${marker.trim().replace("{budget}", String(maxBytes))}`;
}
