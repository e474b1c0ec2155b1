import type { Message } from "@quire/core";

/** What a vendor would refuse in a history: a call without its result behind it, or a result without its call. */
export function historyProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  for (const message of messages) {
    const results = message.content.flatMap((block) => (block.type === "tool-result" ? [block.id] : []));
    for (const id of results) if (!open.delete(id)) problems.push(`result ${id} answers no call`);
    if (message.role === "tool") continue;
    for (const id of open) problems.push(`call ${id} has no result`);
    open = new Set(message.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])));
    if (message.content.length === 0) problems.push(`message ${message.id} is empty`);
  }
  for (const id of open) problems.push(`call ${id} has no result`);
  return problems;
}
