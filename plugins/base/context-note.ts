import type { ContextItem, PieceBuilder, Pieces, ResolvedSection, SectionContent } from "@quire/core";
import added from "../../prompts/base/context/added.md";
import changed from "../../prompts/base/context/changed.md";
import edited from "../../prompts/base/context/edited.md";
import note from "../../prompts/base/context/note.md";
import removed from "../../prompts/base/context/removed.md";
import task from "../../prompts/base/context/task.md";
import taskOver from "../../prompts/base/context/task-over.md";
import taskWithout from "../../prompts/base/context/task-without.md";
import { renderSection, type SectionMarkup } from "./section-markup.js";

/** One entry of a context message: a block that names the section and says in one sentence what happened to it. */
export function renderContext(change: ContextItem, markup: SectionMarkup, p: PieceBuilder): Pieces {
  const { state, sentence } = whatHappened(change);
  const content = change.content === null ? [] : renderSection(asSection(change, change.content), markup, p);
  const lead = p`${sentence.trim()}`;
  const subject = change.section ?? change.cause;
  return p.block("context_update", { about: subject, state }, content.length === 0 ? lead : p`${lead}\n\n${content}`);
}

/** The change in a word or two, and as a sentence for the model. */
export function whatHappened(change: Omit<ContextItem, "content" | "hash">): {
  readonly state: string;
  readonly sentence: string;
} {
  const isRemoval = change.op === "remove";
  if (change.section === undefined) return { state: "note", sentence: note };
  if (change.cause === "turn-over") return { state: "task over", sentence: taskOver };
  if (change.cause === "turn") return { state: "for this task", sentence: isRemoval ? taskWithout : task };
  if (isRemoval) return { state: "no longer holds", sentence: removed };
  if (change.op === "edit") return { state: "changed in part", sentence: edited };
  return change.op === "add" ? { state: "new", sentence: added } : { state: "changed", sentence: changed };
}

function asSection(change: ContextItem, content: SectionContent): ResolvedSection {
  return {
    name: change.section ?? change.cause,
    slot: "session",
    owner: "host",
    cache: "memoized",
    scope: "session",
    content,
    origin: { kind: "host" },
    state: "fresh",
    prepended: [],
    appended: [],
  };
}
