import { estimateTokens, type Diagnostic, type PluginInfo, type ResolvedSection } from "@quire/core";
import { sha256, type HostTool, type Prompt } from "@quire/core/host";
import { contentText } from "./content-text.js";
import { describeOrigin } from "../output/describe-origin.js";
import { plainDiagnostic, type PlainDiagnostic } from "../output/plain-diagnostic.js";
import { promptCuts, type Cut } from "./prompt-cuts.js";
import { placeSections, type SectionPlace, type SourceRange } from "./section-places.js";

/** What `agent prompt --json` prints. Offsets and `bytes` are UTF-8 bytes, half-open; hashes SHA-256 in hex. */
export interface PromptDocument {
  readonly preset: string;
  readonly layout: string;
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
  /** Where the part that is equal for every user and project ends. */
  readonly boundary: number;
  readonly sections: readonly SectionEntry[];
  /** Late messages that go out with the user's words. */
  readonly context: readonly {
    readonly section: string | null;
    readonly op: string;
    readonly cause: string;
    readonly text: string;
  }[];
  readonly tail: string;
  readonly left_out: readonly { readonly name: string; readonly why: string }[];
  readonly edits: readonly {
    readonly section: string;
    readonly op: string;
    readonly by: string;
    readonly layer: string;
    readonly won: boolean;
    readonly why: string | null;
  }[];
  /** What was shortened. */
  readonly cuts: readonly Cut[];
  readonly tools: readonly { readonly name: string; readonly bytes: number; readonly plugin: string }[];
  readonly counts: {
    readonly sections: number;
    readonly instruction_files: number;
    readonly skills: number;
    readonly tools: number;
  };
  readonly cache_key: string;
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** `start`, `end` and `region` are null for a section that is not in the text: a delta or the tail. */
export interface SectionEntry {
  readonly name: string;
  readonly slot: string;
  readonly plugin: string;
  readonly version: string | null;
  readonly cache: "memoized" | "volatile";
  /** How a volatile section leaves. */
  readonly deliver: "delta" | "tail" | "prefix" | null;
  readonly reason: string | null;
  readonly region: "global" | "session" | "turn" | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly bytes: number;
  readonly tokens: number;
  readonly hash: string;
  /** Who wrote the content that stands here now. */
  readonly origin: string;
  readonly text: string;
  readonly sources: readonly SourceRange[];
}

/** As much of a prompt as its account needs. */
type Shown = Omit<Prompt, "baseline" | "tools"> & { readonly tools: readonly Pick<HostTool, "name" | "plugin">[] };

/**
 * The account of a prompt as plain data.
 * @param about `diagnostics` are those of loading; the prompt brings its own.
 */
export function promptDocument(
  prompt: Shown,
  about: {
    readonly preset: string;
    readonly plugins: readonly PluginInfo[];
    readonly diagnostics: readonly Diagnostic[];
  },
): PromptDocument {
  const places = placeSections(prompt.pieces);
  const versions = new Map(about.plugins.map(({ name, version }) => [name, version]));
  const sections = prompt.sections.map((section) =>
    sectionEntry(section, places.get(section.name), prompt, versions.get(section.owner) ?? null),
  );
  return {
    preset: about.preset,
    layout: prompt.layout,
    text: prompt.text,
    bytes: Buffer.byteLength(prompt.text),
    tokens: estimateTokens(prompt.text),
    boundary: prompt.regions.find(({ kind }) => kind === "global")?.end ?? 0,
    sections,
    context: prompt.context.map(({ section, op, cause, text }) => ({
      section: section ?? null,
      op,
      cause,
      text,
    })),
    tail: prompt.request.tail,
    left_out: prompt.leftOut.map(({ section, why }) => ({ name: section, why })),
    edits: plainEdits(prompt.edits),
    cuts: promptCuts(prompt.sections),
    tools: declaredTools(prompt),
    counts: {
      sections: sections.filter(({ start }) => start !== null).length,
      instruction_files: instructionFiles(sections),
      skills: skillCount(prompt.sections),
      tools: prompt.request.tools.length,
    },
    cache_key: prompt.request.cacheKey,
    diagnostics: [...about.diagnostics, ...prompt.diagnostics].map(plainDiagnostic),
  };
}

/** Edits as they were judged, their authors in a few words. */
export function plainEdits(edits: Prompt["edits"]): PromptDocument["edits"] {
  return edits.map(({ section, op, by, layer, won, why }) => ({
    section,
    op,
    by: describeOrigin(by),
    layer,
    won,
    why: why ?? null,
  }));
}

function sectionEntry(
  section: ResolvedSection,
  place: SectionPlace | undefined,
  prompt: Shown,
  version: string | null,
): SectionEntry {
  const text = place?.text ?? contentText(section);
  const volatile = section.cache === "memoized" ? undefined : section.cache;
  const region = place && prompt.regions.find(({ start, end }) => start <= place.start && place.start < end)?.kind;
  return {
    name: section.name,
    slot: section.slot,
    plugin: section.owner,
    version,
    cache: volatile === undefined ? "memoized" : "volatile",
    deliver: volatile === undefined ? null : (volatile.deliver ?? "delta"),
    reason: volatile?.volatile ?? null,
    region: region ?? null,
    start: place?.start ?? null,
    end: place?.end ?? null,
    bytes: Buffer.byteLength(text),
    tokens: estimateTokens(text),
    hash: sha256(text),
    origin: describeOrigin(section.origin),
    text,
    sources: place?.sources ?? [],
  };
}

function declaredTools(prompt: Shown): PromptDocument["tools"] {
  const owners = new Map(prompt.tools.map(({ name, plugin }) => [name, plugin]));
  return prompt.request.tools.map((tool) => ({
    name: tool.name,
    bytes: Buffer.byteLength(JSON.stringify(tool)),
    plugin: owners.get(tool.name) ?? "host",
  }));
}

function instructionFiles(sections: readonly SectionEntry[]): number {
  const files = sections.find(({ name }) => name === "agents-md/files");
  return new Set(files?.sources.map(({ path }) => path)).size;
}

function skillCount(sections: readonly ResolvedSection[]): number {
  const content = sections.find(({ name }) => name === "skills/catalog")?.content;
  return content?.kind === "items" ? content.items.length : 0;
}
