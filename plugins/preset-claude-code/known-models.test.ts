import { expect, test } from "vitest";
import { knownModel } from "./known-models.js";

test.for([
  { id: "claude-sonnet-4-5", name: "Claude Sonnet 4.5", cutoff: "January 2025" },
  { id: "claude-sonnet-4-5-20250929", name: "Claude Sonnet 4.5", cutoff: "January 2025" },
  { id: "us.anthropic.claude-haiku-4-5-20251001-v1:0", name: "Claude Haiku 4.5", cutoff: "February 2025" },
  { id: "claude-haiku-4-5@20251001", name: "Claude Haiku 4.5", cutoff: "February 2025" },
  { id: "anthropic/claude-opus-4.6", name: "Claude Opus 4.6", cutoff: "May 2025" },
  { id: "claude-opus-4-6[1m]", name: "Claude Opus 4.6", cutoff: "May 2025" },
  { id: "claude-opus-4-20250514", name: "Claude Opus 4", cutoff: "January 2025" },
  { id: "claude-opus-4-0", name: "Claude Opus 4", cutoff: "January 2025" },
  { id: "claude-3-7-sonnet-latest", name: "Claude Sonnet 3.7", cutoff: "October 2024" },
  { id: "claude-3-haiku-20240307", name: "Claude Haiku 3", cutoff: "August 2023" },
])("CC-32 knows $id by its canonical name", ({ id, name, cutoff }) => {
  expect(knownModel(id)).toEqual({ name, family: name.replace(/ [A-Z][a-z]+ /, " "), cutoff });
});

test("CC-32 gives a model that is not in the table its name and no cutoff", () => {
  expect(knownModel("claude-sonnet-9-1")).toEqual({ name: "Claude Sonnet 9.1", family: "Claude 9.1" });
});

test.for(["gpt-5", "fake-model", "claude", "my-claude", "claude-preview"])("knows nothing of %s", (id) => {
  expect(knownModel(id)).toBeUndefined();
});
