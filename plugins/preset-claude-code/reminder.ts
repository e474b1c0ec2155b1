import type { ContextItem, PieceBuilder, Pieces, SectionContent } from "@quire/core";
import added from "../../prompts/preset-claude-code/context/added.md";
import changed from "../../prompts/preset-claude-code/context/changed.md";
import removed from "../../prompts/preset-claude-code/context/removed.md";
import task from "../../prompts/preset-claude-code/context/task.md";
import taskOver from "../../prompts/preset-claude-code/context/task-over.md";
import taskWithout from "../../prompts/preset-claude-code/context/task-without.md";

/** One entry of a context message: what it is about, what happened to it, and the text. */
export function renderReminder(change: ContextItem, p: PieceBuilder): Pieces {
  const text = change.content === null ? "" : plainText(change.content);
  const subject = change.section ?? change.cause;
  const head = change.section === undefined ? `${subject}:` : `${subject}: ${whatHappened(change).trim()}`;
  return p.block("system-reminder", {}, text === "" ? p`${head}` : p`${head}\n\n${text}`);
}

function whatHappened({ op, cause }: ContextItem): string {
  if (cause === "turn-over") return taskOver;
  if (cause === "turn") return op === "remove" ? taskWithout : task;
  if (op === "remove") return removed;
  return op === "add" ? added : changed;
}

function plainText(content: SectionContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "facts") return content.facts.map(([key, value]) => `${key}: ${value}`).join("\n");
  const items = content.items.map(({ id, text, attrs }) => `## ${attrs?.["name"] ?? id}\n\n${text ?? ""}`.trim());
  return [content.intro ?? "", ...items].filter((part) => part !== "").join("\n\n");
}
