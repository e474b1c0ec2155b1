import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCrashNote, readCrashNotes } from "./crash-note.js";

const folder = () => mkdtempSync(join(tmpdir(), "quire-note-"));
/** The id of a process that is over. */
const deadId = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("names the plugin that was at work when an earlier run ended, once", () => {
  const cache = join(folder(), "cache");
  const note = openCrashNote(cache, deadId());
  note.entering("@acme/an-earlier-and-longer-name");
  note.entering("@acme/loop");
  const [diagnostic, ...more] = readCrashNotes(cache, ["base"]);
  expect(more).toEqual([]);
  expect(diagnostic).toMatchObject({ code: "plugin-crash", level: "warn", plugin: "@acme/loop" });
  expect(diagnostic?.fix).toContain("--no-plugin @acme/loop");
  expect(readCrashNotes(cache, ["base"])).toEqual([]);
});

test("thinks less of a built-in plugin that was at work", () => {
  const cache = folder();
  openCrashNote(cache, deadId()).entering("base");
  expect(readCrashNotes(cache, ["base"])).toMatchObject([{ level: "info", plugin: "base" }]);
});

test("says nothing of a run in which no plugin was at work, of a living one and of one that ended well", async () => {
  const cache = folder();
  const between = openCrashNote(cache, deadId());
  between.entering("base");
  between.entering(null);
  openCrashNote(cache, process.pid).entering("base");
  const well = openCrashNote(cache, deadId());
  well.entering("base");
  well.close();
  // That a plugin returned is written when the event loop comes round: one that hangs never lets it.
  await new Promise((resolve) => setImmediate(resolve));
  expect(readCrashNotes(cache, ["base"])).toEqual([]);
  expect(readdirSync(cache)).toEqual([`entering-${process.pid}`]);
});

test("writes nothing before a plugin is entered and survives a folder that cannot be made", () => {
  const cache = join(folder(), "cache");
  openCrashNote(cache, 1).close();
  expect(existsSync(cache)).toBe(false);
  const file = join(folder(), "file");
  writeFileSync(file, "");
  const note = openCrashNote(join(file, "cache"), 1);
  note.entering("base");
  note.entering(null);
  note.close();
  expect(readCrashNotes(join(file, "cache"), [])).toEqual([]);
});
