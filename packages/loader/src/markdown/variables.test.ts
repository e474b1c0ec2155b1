import type { SectionContext } from "@quire/core";
import { expect, test } from "vitest";
import { parseTemplate, templateBody } from "./variables.js";

const context = {
  cwd: "/repo/sub",
  projectRoot: "/repo",
  platform: "linux (x64)",
  shell: "bash",
  today: "2026-01-02",
  model: { provider: "acme", id: "big" },
} as SectionContext;

test("every variable has its value, wherever it stands", async () => {
  const template = parseTemplate(
    "{{environment.cwd}} {{environment.project_root}} {{environment.platform}} {{environment.shell}} {{environment.today}} {{model.provider}}/{{model.id}}{{model.id}}",
  );
  const body = "parts" in template ? templateBody(template) : undefined;
  const text = await body?.compute(context, new AbortController().signal);
  expect(text).toBe("/repo/sub /repo linux (x64) bash 2026-01-02 acme/bigbig");
});

test("a value that looks like a variable is no variable", async () => {
  const template = parseTemplate("{{environment.cwd}}|{{model.id}}");
  const body = "parts" in template ? templateBody(template) : undefined;
  const odd = { ...context, cwd: "{{model.id}}" };
  expect(await body?.compute(odd, new AbortController().signal)).toBe("{{model.id}}|big");
});

test("the key changes with the variables that are used, and with no other", () => {
  const template = parseTemplate("Today is {{environment.today}}");
  const body = "parts" in template ? templateBody(template) : undefined;
  const key = (change: Partial<SectionContext>) => body?.key?.({ ...context, ...change });
  expect(key({ cwd: "/elsewhere" })).toBe(key({}));
  expect(key({ today: "2026-01-03" })).not.toBe(key({}));
  expect(body?.cache).toBe("memoized");
});

test.for([
  { name: "an unknown name", text: "a\nb {{environment.home}}", want: { token: "{{environment.home}}", line: 2 } },
  { name: "another case", text: "{{Environment.cwd}}", want: { token: "{{Environment.cwd}}", line: 1 } },
  { name: "spaces", text: "x\r\ny\r\n{{ model.id }}", want: { token: "{{ model.id }}", line: 3 } },
  { name: "nothing", text: "{{}}", want: { token: "{{}}", line: 1 } },
  { name: "a missing end", text: "a {{model.id} b\nc", want: { token: "{{model.id} b", line: 1 } },
  { name: "an end on another line", text: "{{model.id\n}}", want: { token: "{{model.id", line: 1 } },
  { name: "a name of objects", text: "{{constructor}}", want: { token: "{{constructor}}", line: 1 } },
  { name: "a second one", text: "{{model.id}} {{tools}}", want: { token: "{{tools}}", line: 1 } },
])("$name makes no variable", ({ text, want }) => expect(parseTemplate(text)).toEqual(want));

test("single braces and closing ones alone are text", () => {
  expect(parseTemplate("a { b } }} c")).toEqual({ parts: ["a { b } }} c"] });
});
