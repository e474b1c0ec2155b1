import type { ResolvedSection } from "@quire/core";
import type { RecordedRequest } from "@quire/loader";
import { plainContent } from "./content-text.js";
import { promptDocument, type PromptDocument } from "./prompt-document.js";

/** `agent prompt --json` of a recorded turn. What the log does not hold is empty: edits, what was left out, versions. */
export interface RecordedDocument extends PromptDocument {
  readonly recorded: {
    readonly session: string;
    readonly turn: number;
    readonly request: number;
    /** Requests the turn sent. */
    readonly requests: number;
    readonly baseline: { readonly id: string; readonly cause: string };
    /** Messages that were sent. */
    readonly messages: number;
    /** Of the tail that was sent, which is never stored. */
    readonly tail: RecordedRequest["tail"];
  };
}

/** The account of a recorded prompt. `preset` is the layout's name: the log has no other. */
export function recordedDocument(session: string, recorded: RecordedRequest): RecordedDocument {
  const { turn, request, body, tail, pieces, baseline, context } = recorded;
  const document = promptDocument(
    {
      text: body.system.text,
      layout: baseline.layout,
      pieces,
      regions: body.system.regions,
      edits: [],
      sections: baseline.sections.map(resolved),
      context: context.map((item) => ({ ...item, text: item.content === null ? "" : plainContent(item.content) })),
      diagnostics: [],
      request: body,
      tools: Object.entries(baseline.owners).map(([name, plugin]) => ({ name, plugin })),
      leftOut: [],
    },
    { preset: baseline.layout, plugins: [], diagnostics: [] },
  );
  const { id, cause } = baseline;
  const about = { session, turn: turn.number, request, requests: turn.requests.length, baseline: { id, cause } };
  return { ...document, recorded: { ...about, messages: body.messages.length, tail } };
}

function resolved(section: RecordedRequest["baseline"]["sections"][number]): ResolvedSection {
  const { name, slot, owner, cache, scope, origin, content } = section;
  const text = { kind: "text", text: "" } as const;
  return {
    name,
    slot,
    owner,
    cache,
    scope,
    origin,
    content: content ?? text,
    state: "cached",
    prepended: [],
    appended: [],
  };
}
