/**
 * `npm run bench -- start [--runs N] [--json]`: what starting costs, against a bare Node program of the same run.
 * `npm run bench -- turns [--turns N] [--json]`: what the host adds to a request, early and late in a long session.
 * `npm run bench -- stream [--runs N] [--json]`: the CPU of a long streamed answer, against the vendor's bare SDK.
 * What is compared is interleaved, so that a busy machine slows all of it alike.
 */
import { parseArgs } from "node:util";
import { measureStart } from "./start.mjs";
import { printStream } from "./stream.mjs";
import { printTurns } from "./turns-table.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "15" },
    turns: { type: "string", default: "1000" },
    json: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const turns = Number(values.turns);
const what = positionals.join(" ");
if (
  !["start", "turns", "stream"].includes(what) ||
  !(Number.isInteger(runs) && runs > 0 && Number.isInteger(turns) && turns > 20)
) {
  console.error(
    "usage: npm run bench -- start|stream [--runs N] [--json]\n       npm run bench -- turns [--turns N] [--json]",
  );
  process.exit(2);
}
if (what === "turns") {
  await printTurns(turns, values.json);
  process.exit();
}

if (what === "stream") process.exit(await printStream(runs, values.json));

const rows = await measureStart(runs);
if (values.json) {
  console.log(JSON.stringify({ node: process.version, date: new Date().toISOString(), runs, rows }, null, 2));
} else {
  console.log(`spawn to first request on the wire, ms; ${runs} interleaved starts, node ${process.version}`);
  console.log(`${"".padEnd(36)}     min  median  ratio of min  of median`);
  for (const row of rows) {
    const ratios = row.ratioMin === null ? "" : `${fixed(row.ratioMin, 14, 2)}${fixed(row.ratioMedian, 11, 2)}`;
    console.log(`${row.name.padEnd(36)}${fixed(row.min, 8)}${fixed(row.median, 8)}${ratios}`);
  }
}

function fixed(number, width, digits = 0) {
  return number.toFixed(digits).padStart(width);
}
