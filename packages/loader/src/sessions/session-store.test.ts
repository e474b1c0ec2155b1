import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { QuireError, type Config } from "@quire/core";
import { expect, test } from "vitest";
import { tempFolder } from "../testing/temp-home.js";
import { openSessionStore } from "./session-store.js";

const id = "20260102-030405-abcdef";
const head = (projectRoot = "/repo", more: Config = {}): Config => ({
  type: "session",
  format: 1,
  id,
  at: "2026-01-02T03:04:05.000Z",
  cwd: `${projectRoot}/sub`,
  projectRoot,
  ...more,
});
const userMessage = (text: string): Config => ({
  type: "message",
  turn: "t1",
  message: { id: "m1", role: "user", content: [{ type: "text", text }] },
  at: "2026-01-02T03:05:00.000Z",
});

async function all(records: AsyncIterable<Config>): Promise<readonly Config[]> {
  const found: Config[] = [];
  for await (const record of records) found.push(record);
  return found;
}

async function thrown(run: Promise<unknown>) {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return QuireError.is(error) ? error.diagnostic : error;
}

test("records come back in order, whatever they hold", async () => {
  const store = openSessionStore(join(await tempFolder(), "sessions"));
  const records = [head(), userMessage("two\nlines \u2028 and \u{1F600} \0"), { type: "clear", at: "x" }];
  await Promise.all(records.map((record) => store.append(id, record)));
  expect(await all(store.read(id))).toEqual(records);
  expect((await readFile(store.path(id), "utf8")).split("\n")).toHaveLength(4);
});

test("each record is in the file when its append resolves, in one piece", async () => {
  const store = openSessionStore(await tempFolder());
  for (let count = 1; count <= 20; count++) {
    await store.append(id, { type: "partial", text: "x".repeat(count * 1000) });
    const lines = (await readFile(store.path(id), "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { text: string }).text.length)).toHaveLength(count);
  }
});

test("a session belongs to its owner alone", async () => {
  const folder = join(await tempFolder(), "home", "sessions");
  const store = openSessionStore(folder);
  await store.append(id, head());
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(store.path(id))).mode & 0o777).toBe(0o600);
});

test("a torn last line and spoilt lines are passed by, and the next record is whole", async () => {
  const folder = await tempFolder();
  await openSessionStore(folder).append(id, head());
  const store = openSessionStore(folder);
  await appendFile(store.path(id), 'no json\n\n[1]\n{"no":"type"}\n{"type":"message","tur');
  expect(await all(store.read(id))).toEqual([head()]);
  await store.append(id, { type: "clear" });
  expect(await all(store.read(id))).toEqual([head(), { type: "clear" }]);
});

test("bytes cut within a character are passed by", async () => {
  const store = openSessionStore(await tempFolder());
  await store.append(id, head());
  await store.release(id);
  const line = Buffer.from('{"type":"partial","text":"ä');
  await appendFile(store.path(id), line.subarray(0, line.length - 1));
  expect(await all(store.read(id))).toEqual([head()]);
});

test("a write that the disk refuses rejects, and later ones go on", async () => {
  const folder = await tempFolder();
  const store = openSessionStore(folder);
  await mkdir(store.path(id));
  await expect(store.append(id, head())).rejects.toMatchObject({ code: "EISDIR" });
  await symlink("/dev/full", store.path("full"));
  await expect(store.append("full", head())).rejects.toMatchObject({ code: "ENOSPC" });
  await store.append("other", head());
  expect(await all(store.read("other"))).toEqual([head()]);
});

test("many sessions at once keep few files open and lose nothing", async () => {
  const store = openSessionStore(await tempFolder());
  const ids = Array.from({ length: 60 }, (_, index) => `s${index}`);
  for (let round = 0; round < 3; round++) {
    await Promise.all(ids.map((each) => store.append(each, { type: "clear", round })));
  }
  const open = (await readdir("/proc/self/fd").catch(() => [])).length;
  expect(open).toBeLessThan(200);
  for (const each of ids) {
    expect(await all(store.read(each))).toEqual([0, 1, 2].map((round) => ({ type: "clear", round })));
  }
});

test.for(["nowhere", "../escape", "", "a/b", ".hidden"])("session %j is unknown", async (wrong) => {
  const store = openSessionStore(await tempFolder());
  await store.append(id, head());
  expect(await thrown(all(store.read(wrong)))).toMatchObject({ code: "session-unknown" });
  expect(await thrown(store.resolveId(wrong))).toMatchObject({ code: "session-unknown" });
});

test("a prefix names the one session that begins with it", async () => {
  const store = openSessionStore(await tempFolder());
  const ids = ["20260102-030405-aaaaaa", "20260102-030405-bbbbbb", "20260103-000000-cccccc"];
  for (const each of ids) await store.append(each, head());
  expect(await store.resolveId("20260103")).toBe(ids[2]);
  expect(await store.resolveId("20260102-030405-b")).toBe(ids[1]);
  expect(await store.resolveId(ids[0] ?? "")).toBe(ids[0]);
  expect(await thrown(store.resolveId("20260102"))).toMatchObject({
    code: "session-ambiguous",
    fix: expect.stringContaining(`${ids[0]}, ${ids[1]}`) as string,
  });
  expect(await thrown(store.resolveId("20260103-000000-cccccd"))).toMatchObject({
    code: "session-unknown",
    fix: expect.stringContaining(ids[2] ?? "") as string,
  });
});

test("a summary gives times, place, title, turns and model", async () => {
  const store = openSessionStore(await tempFolder());
  const turn = (model: unknown, at: string): Config => ({ type: "turn-start", turn: "t", trigger: "user", model, at });
  const records = [
    head("/repo", { parent: "20250101-000000-ffffff" }),
    turn({ provider: "acme", id: "small" }, "2026-01-02T03:04:06.000Z"),
    { ...userMessage("context"), message: { id: "c", role: "context", content: [{ type: "text", text: "told" }] } },
    userMessage('  Fix\n the {"type":"turn-start"} bug  '),
    { type: "message", message: { id: "big", role: "tool", content: [{ type: "text", text: "x".repeat(700_000) }] } },
    turn({ provider: "acme", id: "big" }, "2026-01-03T00:00:00.000Z"),
    { type: "message", message: { id: "big", role: "tool", content: [{ type: "text", text: "y".repeat(700_000) }] } },
    { type: "turn-end", turn: "t", stop: "end", usage: {}, at: "2026-01-03T00:00:09.000Z" },
  ];
  for (const record of records) await store.append(id, record);
  expect(await store.list()).toEqual([
    {
      id,
      createdAt: "2026-01-02T03:04:05.000Z",
      updatedAt: "2026-01-03T00:00:09.000Z",
      projectRoot: "/repo",
      cwd: "/repo/sub",
      title: 'Fix the {"type":"turn-start"} bug',
      turns: 2,
      model: "acme/big",
      parent: "20250101-000000-ffffff",
    },
  ]);
});

test("a turn's record on the edge between two reads is counted once", async () => {
  const store = openSessionStore(await tempFolder());
  const start = '{"type":"turn-start","turn":"t","model":{"provider":"a","id":"b"}}';
  const first = JSON.stringify(head());
  for (const shift of [-40, -22, -21, -20, -10, -1, 0, 1]) {
    const filler = `{"type":"partial","text":"`;
    const pad = 262_144 + shift - first.length - 1 - filler.length - '"}\n'.length;
    const lines = [first, `${filler}${"x".repeat(pad)}"}`, start, ""].join("\n");
    await writeFile(store.path("edge"), lines);
    expect(await store.list()).toMatchObject([{ id: "edge", turns: 1, model: "a/b" }]);
  }
});

test("a long title is cut between characters", async () => {
  const store = openSessionStore(await tempFolder());
  await store.append(id, head());
  await store.append(id, userMessage("\u{1F600}".repeat(100)));
  expect((await store.list())[0]?.title).toBe(`${"\u{1F600}".repeat(79)}…`);
});

test("listings are newest first and by project; what is no session is passed by", async () => {
  const folder = await tempFolder();
  const store = openSessionStore(folder);
  expect(await store.list()).toEqual([]);
  expect(await store.newest("/repo")).toBeUndefined();
  const sessions = [
    { name: "a", root: "/repo", changed: 100 },
    { name: "b", root: "/other", changed: 300 },
    { name: "c", root: "/repo", changed: 200 },
  ];
  for (const { name, root, changed } of sessions) {
    await store.append(name, head(root));
    await utimes(store.path(name), changed, changed);
  }
  await writeFile(join(folder, "garbage.jsonl"), "not a record\n");
  await writeFile(join(folder, "empty.jsonl"), "");
  await writeFile(join(folder, "notes.txt"), "no log");
  await mkdir(join(folder, "folder.jsonl"));
  expect((await store.list()).map((each) => each.id)).toEqual(["b", "c", "a"]);
  expect((await store.list("/repo")).map((each) => each.id)).toEqual(["c", "a"]);
  expect(await store.newest("/repo")).toBe("c");
  expect(await store.newest("/nowhere")).toBeUndefined();
});

test("a session is taken by one living process; a dead one's lock is taken over", async () => {
  const folder = await tempFolder();
  const store = openSessionStore(folder);
  expect(await store.acquire(id)).toBe(true);
  expect(await store.acquire(id)).toBe(true);

  const other = spawn("sleep", ["60"]);
  await once(other, "spawn");
  const taken = "20260102-030405-bbbbbb";
  await writeFile(join(folder, `${taken}.lock`), JSON.stringify({ pid: other.pid }));
  expect(await store.acquire(taken)).toBe(false);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(await store.acquire(taken)).toBe(true);

  await store.release(id);
  await store.release(taken);
  expect((await readdir(folder)).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
});

test("a lock of a process whose number another one has now is taken over", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, `${id}.lock`), JSON.stringify({ pid: process.ppid, started: "1" }));
  expect(await openSessionStore(folder).acquire(id)).toBe(process.platform === "linux");
});

test("a lock that is just being written counts, an old one without an owner does not", async () => {
  const folder = await tempFolder();
  const file = join(folder, `${id}.lock`);
  await writeFile(file, "");
  expect(await openSessionStore(folder).acquire(id)).toBe(false);
  await utimes(file, 1, 1);
  expect(await openSessionStore(folder).acquire(id)).toBe(true);
});
