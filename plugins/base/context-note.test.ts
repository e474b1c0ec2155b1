import { expect, test } from "vitest";
import type { ContextItem } from "@quire/core";
import { whatHappened } from "./context-note.js";

type Change = Omit<ContextItem, "content" | "hash">;
const told = { section: "permissions/policy" } as const;

test.for<Change & { readonly state: string; readonly says: RegExp }>([
  { ...told, op: "add", cause: "start", state: "new", says: /holds as well/ },
  { ...told, op: "replace", cause: "changed", state: "changed", says: /replaces all/ },
  { ...told, op: "edit", cause: "changed", state: "changed in part", says: /the rest holds/ },
  { ...told, op: "remove", cause: "changed", state: "no longer holds", says: /no longer holds/ },
  { ...told, op: "add", cause: "turn", state: "for this task", says: /present task only/ },
  { ...told, op: "remove", cause: "turn", state: "for this task", says: /disregard/ },
  { ...told, op: "remove", cause: "turn-over", state: "task over", says: /task is over/ },
  { op: "add", cause: "reminder", state: "note", says: /note from the host/ },
])("tells $op because of $cause as: $state", ({ state, says, ...change }) => {
  const happened = whatHappened(change);
  expect(happened.state).toBe(state);
  expect(happened.sentence).toMatch(says);
});
