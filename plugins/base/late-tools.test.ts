import { expect, test } from "vitest";
import type { ToolSpec } from "@quire/core";
import { describeTools, findTool, lateTools, maxFound, maxFoundBytes, modelNames, searchTools } from "./late-tools.js";

function tool(name: string, description = "", input: ToolSpec["input"] = { type: "object" }): ToolSpec {
  return { name, description, input, effect: "read", execute: () => "" };
}

test("names a tool by its last part, and by its plugin too where that part is taken", () => {
  const names = modelNames([tool("files/read"), tool("@acme/wiki/read"), tool("mcp/search")]);
  expect([...names.values()]).toEqual(["read", "acme_wiki__read", "search"]);
});

test("takes as late what the last request did not declare", () => {
  const tools = [tool("files/read"), tool("wiki/read"), tool("wiki/search")];
  expect(lateTools(tools, new Set(["read"])).map(({ name }) => name)).toEqual(["wiki/read", "wiki/search"]);
  expect(lateTools(tools, new Set(["read", "wiki__read", "search"]))).toEqual([]);
});

test("finds a tool by its full name and by the name the model would see", () => {
  const tools = [tool("files/read"), tool("wiki/read")];
  expect(findTool(tools, "wiki/read")?.name).toBe("wiki/read");
  expect(findTool(tools, "wiki__read")?.name).toBe("wiki/read");
  expect(findTool(tools, "read")?.name).toBe("files/read");
  expect(findTool(tools, "write")).toBeUndefined();
});

test("wants every word of a search, and puts matches in the name first", () => {
  const tools = [tool("wiki/get", "Finds a page of the wiki"), tool("wiki/page_search"), tool("jira/issue")];
  expect(searchTools(tools, "Page WIKI").map(({ name }) => name)).toEqual(["wiki/page_search", "wiki/get"]);
  expect(searchTools(tools, "page jira")).toEqual([]);
  expect(searchTools(tools, " ")).toEqual(tools);
});

test("shows name, description and input schema, without the schema's dialect", () => {
  const input = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: ({ target }: { target: string }) => ({ $schema: target, type: "object" }) },
    },
  };
  expect(describeTools([tool("wiki/get", "Gets a page.", input)])).toEqual([
    '## wiki/get\nGets a page.\ninput: {"type":"object"}',
  ]);
});

test("stops at its caps, but always shows the first match whole", () => {
  const many = Array.from({ length: maxFound + 5 }, (_, index) => tool(`wiki/t${index}`));
  expect(describeTools(many)).toHaveLength(maxFound);
  const huge = tool("wiki/huge", "x".repeat(maxFoundBytes));
  expect(describeTools([huge, huge])).toHaveLength(1);
});
