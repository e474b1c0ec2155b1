import { measureTurns } from "./turns.mjs";

/** Runs the benchmark and prints what it found, ratios beside the values that are wanted. */
export async function printTurns(turns, asJson) {
  const { rows, assembly } = await measureTurns(turns);
  if (asJson) {
    console.log(JSON.stringify({ node: process.version, date: new Date().toISOString(), rows, assembly }, null, 2));
    return;
  }
  console.log(`CPU of the whole process per request, ms, and of the host's own part; node ${process.version}`);
  console.log(
    "wanted: the host's own at most 2 times the bare SDK with the same body, and constant log bytes per turn",
  );
  console.log(`${"".padEnd(24)}  KB sent   whole     SDK  whole/SDK  own/SDK  log bytes`);
  for (const { vendor, turn, requestBytes, hostMs, bareMs, ratio, logBytes } of rows) {
    const name = `${vendor}, turn ${turn}`.padEnd(24);
    const times = fixed(requestBytes / 1024, 9) + fixed(hostMs, 8, 2) + fixed(bareMs, 8, 2);
    console.log(name + times + fixed(ratio, 11, 2) + fixed(ratio - 1, 9, 2) + fixed(logBytes, 11));
  }
  console.log("\nA warm prompt from plan to request, ms; wanted: at most 3 times JSON.stringify of that request");
  for (const { name, sections, requestBytes, assembleMs, stringifyMs, ratio } of assembly) {
    const sizes = `${sections} sections, ${fixed(requestBytes / 1024, 0)} KB`;
    const times = `${fixed(assembleMs, 7, 3)} against ${fixed(stringifyMs, 0, 3)}`;
    console.log(`${name.padEnd(32)}${sizes.padEnd(24)}${times}, ratio ${fixed(ratio, 0, 2)}`);
  }
}

function fixed(number, width, digits = 0) {
  return number.toFixed(digits).padStart(width);
}
