/**
 * The program of the search thread. It is a text because the host ships as one bundled file, in which a thread has no
 * module of its own to start from; it needs nothing but Node's built-in modules.
 *
 * Gets `{files, maxHits}`, sends the hits of each file as an array, and at the end `{binary, large, unreadable}`;
 * `progress[0]` is the index of the file at hand.
 */
export const searchWorkerSource = String.raw`
"use strict";
const { closeSync, constants, fstatSync, openSync, readFileSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const { source, flags, progress, maxFileBytes, maxShownLength } = workerData;
const pattern = new RegExp(source, flags);

parentPort.on("message", ({ files, maxHits }) => {
  const skipped = { binary: 0, large: [], unreadable: [] };
  let room = maxHits;
  for (let index = 0; index < files.length && room > 0; index++) {
    Atomics.store(progress, 0, index);
    const hits = search(files[index], room, skipped);
    if (hits.length > 0) parentPort.postMessage(hits);
    room -= hits.length;
  }
  parentPort.postMessage(skipped);
});

function search(file, room, skipped) {
  const bytes = load(file, skipped);
  if (bytes === null) return [];
  if (bytes.subarray(0, 8192).includes(0)) {
    skipped.binary++;
    return [];
  }
  const hits = [];
  const text = bytes.toString("utf8");
  let number = 0;
  for (let start = text.charCodeAt(0) === 0xfeff ? 1 : 0; start < text.length && hits.length < room; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
    number++;
    const match = pattern.exec(line);
    if (match !== null) hits.push({ file, line: number, text: shorten(line, match.index) });
    start = end + 1;
  }
  return hits;
}

function load(file, skipped) {
  let descriptor;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) return null;
    if (found.size > maxFileBytes) {
      skipped.large.push(file);
      return null;
    }
    return readFileSync(descriptor);
  } catch {
    skipped.unreadable.push(file);
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function shorten(line, at) {
  if (line.length <= maxShownLength) return line;
  const start = Math.max(0, Math.min(at - maxShownLength / 4, line.length - maxShownLength));
  const end = start + maxShownLength;
  return (start > 0 ? "…" : "") + line.slice(start, end) + (end < line.length ? "…" : "");
}
`;
