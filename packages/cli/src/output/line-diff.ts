interface Row {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/**
 * The lines that two texts do not share, each with up to `around` common lines beside it. Empty when the texts are
 * equal.
 */
export function lineDiff(before: string, after: string, around = 2): string {
  const rows = compare(linesOf(before), linesOf(after));
  const isNear = (at: number) => rows.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== " ");
  return rows
    .flatMap(({ sign, line }, at) =>
      isNear(at) ? [`${sign} ${line}`.trimEnd()] : at > 0 && isNear(at - 1) ? ["…"] : [],
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** An empty text has no lines. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

/** Larger texts that share neither beginning nor end are shown one after the other. */
const maxCells = 4_000_000;

/** Common beginning and end, and what is between along a longest common subsequence. */
function compare(old: readonly string[], fresh: readonly string[]): readonly Row[] {
  const shortest = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shortest && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  const same = (lines: readonly string[]) => lines.map((line): Row => ({ sign: " ", line }));
  const middle = between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  return [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))];
}

function between(old: readonly string[], fresh: readonly string[]): readonly Row[] {
  const gone = (line: string): Row => ({ sign: "-", line });
  const come = (line: string): Row => ({ sign: "+", line });
  if (old.length * fresh.length > maxCells) return [...old.map(gone), ...fresh.map(come)];
  // `[i][j]`: how many lines the rests of both from there share, in order.
  const shared = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  const at = (i: number, j: number) => shared[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      shared[i]?.set([old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))], j);
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    const [line, other] = [old[i] ?? "", fresh[j] ?? ""];
    if (line === other) rows.push({ sign: " ", line });
    else rows.push(at(i + 1, j) >= at(i, j + 1) ? gone(line) : come(other));
    const last = rows.at(-1)?.sign;
    if (last !== "+") i += 1;
    if (last !== "-") j += 1;
  }
  return [...rows, ...old.slice(i).map(gone), ...fresh.slice(j).map(come)];
}
