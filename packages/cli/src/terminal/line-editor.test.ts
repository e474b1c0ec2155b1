import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LineEditor } from "./line-editor.js";

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: string[] = [];
  let shown = "";
  output.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  const editor = new LineEditor(input, output, {
    stop: () => seen.push("stop"),
    queued: (line) => seen.push(`queued ${line}`),
    leaving: () => seen.push("leaving"),
  });
  const type = async (keys: string) => {
    input.write(keys);
    await sleep(80);
  };
  return { editor, seen, type, shown: () => shown };
}
const escape = "\u001b";
const ctrlC = "\u0003";
const ctrlD = "\u0004";

test("gives a line as it is typed", async () => {
  const { editor, type } = open();
  const line = editor.next();
  await type("hello\r");
  expect(await line).toBe("hello");
  editor.close();
});

test.for([
  { name: "that the terminal marks", keys: "\u001b[200~one\rtwo\rthree\u001b[201~" },
  { name: "that comes at once", keys: "one\rtwo\rthree" },
])("gives a paste $name as one message once Enter ends it", async ({ keys }) => {
  const { editor, type } = open();
  let given: string | null = "";
  const line = editor.next().then((text) => (given = text));
  await type(keys);
  expect(given).toBe("");
  await type("!\r");
  await line;
  expect(given).toBe("one\ntwo\nthree!");
  editor.close();
});

test("takes no pasted line for the answer to a question", async () => {
  const { editor, type } = open();
  editor.working = true;
  const answer = editor.ask("Run it?");
  await type("\u001b[200~y\rmore\u001b[201~");
  await type("\u0015n\r");
  expect(await answer).toBe("n");
  editor.close();
});

test("keeps what is typed while a turn runs, unechoed, and gives it afterwards", async () => {
  const { editor, type, seen, shown } = open();
  editor.working = true;
  await type("and then this\r");
  expect(shown()).not.toContain("then");
  expect(seen).toEqual(["queued and then this"]);
  editor.working = false;
  expect(await editor.next()).toBe("and then this");
  editor.close();
});

test.for([
  { name: "Escape", key: escape },
  { name: "Ctrl-C", key: ctrlC },
])("stops a running turn on $name, and a question of it", async ({ key }) => {
  const { editor, type, seen } = open();
  editor.working = true;
  const answer = editor.ask("Run it?");
  await type(key);
  expect(await answer).toBeNull();
  expect(seen).toEqual(["stop"]);
  editor.close();
});

test("takes no word typed before a question as its answer", async () => {
  const { editor, type, shown } = open();
  editor.working = true;
  await type("yes");
  const answer = editor.ask("Run it?");
  await type("n\r");
  expect(await answer).toBe("n");
  expect(shown()).toContain("Run it?");
  editor.close();
});

test("leaves on Ctrl-D, and on Ctrl-C twice at an empty prompt", async () => {
  const first = open();
  const line = first.editor.next();
  await first.type(ctrlD);
  expect(await line).toBeNull();
  const second = open();
  const other = second.editor.next();
  await second.type(`typed${ctrlC}`);
  await second.type(ctrlC);
  expect(second.seen).toEqual(["leaving"]);
  await second.type(ctrlC);
  expect(await other).toBeNull();
  expect(await second.editor.next()).toBeNull();
});
