import { expect, test } from "vitest";
import { parseFrontMatter } from "@quire/loader";
import { createTestHost } from "@quire/testkit";
import type { TestHostOptions } from "@quire/testkit";
import commands, { commandsOptions, expandCommand, listCommands } from "./index.js";

const review = "---\ndescription: Reviews a file\nargument-hint: <file>\n---\nReview $1 for ${2:-bugs}.\n";
const files = {
  "/home/test/.quire/commands/review.md": review,
  "/home/test/.quire/commands/plain.md": "Say hello.",
  "/project/.quire/commands/latin.md": "ok",
};

async function send(text: string, options: Partial<TestHostOptions> = {}) {
  const host = await createTestHost({ plugins: [commands], files, strict: false, ...options });
  const before = (await host.session.prompt()).text;
  await host.session.send(text, AbortSignal.timeout(20_000)).result;
  const [message] = host.session.messages;
  const [block] = message?.content ?? [];
  const after = (await host.session.prompt()).text;
  return {
    host,
    text: block?.type === "text" ? block.text : undefined,
    codes: host.diagnostics.map(({ code }) => code),
    isPromptSame: before === after,
  };
}

test("PI-35 /name becomes the file's text as the user's message, and the system prompt stays as it is", async () => {
  const { text, codes, isPromptSame } = await send("/review src/a.ts");
  expect(text).toBe("Review src/a.ts for bugs.");
  expect(codes).toEqual([]);
  expect(isPromptSame).toBe(true);
});

test.for(["/unknown x", "review a", " /review a", "/ review", "/"])("leaves %j as it is", async (text) => {
  expect((await send(text)).text).toBe(text);
});

test("looks at files when a command is used, so that a new or changed one counts at once", async () => {
  const { host } = await send("/plain");
  host.write("/home/test/.quire/commands/plain.md", "Say $1.");
  host.write("/home/test/.quire/commands/fresh.md", "Fresh.");
  await host.session.send("/plain bye", AbortSignal.timeout(20_000)).result;
  await host.session.send("/fresh", AbortSignal.timeout(20_000)).result;
  const words = host.session.messages.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  expect(words.map((block) => (block.type === "text" ? block.text : ""))).toEqual(["Say hello.", "Say bye.", "Fresh."]);
});

test("puts words behind a text that has no place for them, or leaves them out with a warning", async () => {
  expect((await send('/plain in "two  words"')).text).toBe('Say hello.\n\nin "two  words"');
  const dropped = await send("/plain in French", { config: { commands: { spare_words: "drop" } } });
  expect(dropped.text).toBe("Say hello.");
  expect(dropped.codes).toEqual(["command-words-dropped"]);
});

test("PI-50 says so when a word looks like a placeholder and is not filled again", async () => {
  const { text, codes } = await send("/review $2 x");
  expect(text).toBe("Review $2 for x.");
  expect(codes).toEqual(["command-placeholder-literal"]);
});

test("PI-50 says so when a command of an untrusted project is typed", async () => {
  const { text, codes } = await send("/latin", { place: { trusted: false } });
  expect(text).toBe("/latin");
  expect(codes).toEqual(["command-untrusted"]);
});

test("PI-50 says so when a command is typed whose file lies in a nested folder", async () => {
  const nested = { ...files, "/home/test/.quire/commands/deep/lost.md": "x" };
  expect((await send("/lost", { files: nested })).codes).toEqual(["command-folder-nested"]);
  expect((await send("/plain", { files: nested })).codes).toEqual([]);
});

test("PI-37 expands nothing when commands are off", async () => {
  expect((await send("/plain", { config: { commands: { enabled: false } } })).text).toBe("/plain");
});

test("lists every command with its description and hint, without running any", async () => {
  const contents = new Map(Object.entries(files));
  const names = ["latin.md", "plain.md", "review.md"];
  const place = {
    cwd: "/project",
    projectRoot: "/project",
    home: "/home/test",
    quireHome: "/home/test/.quire",
    trusted: true,
    env: () => undefined,
    childEnv: () => ({}),
    read: (file: string) => Promise.resolve(contents.get(file) ?? null),
    list: (folder: string) => Promise.resolve(names.filter((name) => contents.has(`${folder}/${name}`))),
  };
  const options = commandsOptions.parse({}).commands;
  const { commands: listed } = await listCommands(place, options, parseFrontMatter);
  expect(listed).toEqual([
    { name: "latin", description: "ok", file: "/project/.quire/commands/latin.md" },
    { name: "plain", description: "Say hello.", file: "/home/test/.quire/commands/plain.md" },
    { name: "review", description: "Reviews a file", hint: "<file>", file: "/home/test/.quire/commands/review.md" },
  ]);
  expect((await expandCommand('/review "a b"', place, options, parseFrontMatter)).text).toBe("Review a b for bugs.");
});
