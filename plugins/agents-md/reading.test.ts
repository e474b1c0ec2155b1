import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { folderWith, open, send, texts } from "./fixtures/real-folder.js";

const rules = { walk: "cwd", names: ["AGENTS.md", "rules/*.md"], take: "all" };

async function project() {
  const root = await folderWith({ "AGENTS.md": "first", "rules/a.md": "a" });
  const change = async () => {
    await writeFile(path.join(root, "AGENTS.md"), "second, and longer");
    await writeFile(path.join(root, "rules/b.md"), "b");
  };
  return { root, change };
}

test("tracked: sees changed and new files at the next prompt", async () => {
  const { root, change } = await project();
  const { session } = await open({ root, options: { places: [rules] } });
  expect(await texts(session)).toEqual(["first", "a"]);
  await change();
  expect(await texts(session)).toEqual(["second, and longer", "a", "b"]);
});

test("CA-58 session: reads once, and anew only after the session is cleared", async () => {
  const { root, change } = await project();
  const { session } = await open({ root, options: { places: [rules], reading: "session" } });
  expect(await texts(session)).toEqual(["first", "a"]);
  await change();
  await send(session, "hello");
  expect(await texts(session)).toEqual(["first", "a"]);
  await session.clear();
  expect(await texts(session)).toEqual(["second, and longer", "a", "b"]);
});

test("session: another session reads for itself, and what the host throws away is read anew", async () => {
  const { root, change } = await project();
  const { host, session } = await open({ root, options: { places: [rules], reading: "session" } });
  await texts(session);
  await change();
  expect(await texts(await host.open({ cwd: root, persist: false }))).toEqual(["second, and longer", "a", "b"]);
  expect(await texts(session)).toEqual(["first", "a"]);
  host.invalidate("agents-md/files", "test");
  expect(await texts(session)).toEqual(["second, and longer", "a", "b"]);
});

test("session: a file that matches later comes with the text of the session's beginning", async () => {
  const root = await folderWith({ "AGENTS.md": '---\npaths: "src/**"\n---\nfirst\n', "src/a.ts": "" });
  const { session } = await open({ root, options: { reading: "session" } });
  await send(session, "hello");
  await writeFile(path.join(root, "AGENTS.md"), '---\npaths: "src/**"\n---\nsecond\n');
  await send(session, "mend src/a.ts");
  expect(await texts(session)).toEqual(["first\n"]);
});

test("turn: reads everything for each turn and says that this breaks the cache", async () => {
  const { root, change } = await project();
  const { session } = await open({ root, options: { places: [rules], reading: "turn" } });
  expect(await texts(session)).toEqual(["first", "a"]);
  await change();
  expect(await texts(session)).toEqual(["second, and longer", "a", "b"]);
  const section = (await session.prompt()).sections.find(({ name }) => name === "agents-md/files");
  expect(section?.cache).toMatchObject({ deliver: "prefix" });
});
