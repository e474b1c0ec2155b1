/**
 * What changed from one text to another as unified-diff hunks with one unchanged line on each side: `@@ -3,3 +3,4 @@`,
 * then lines that begin with a space, "-" or "+".
 */
export function lineEdit(before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const middle = script(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const kept = (lines: readonly string[], from: number, to: number) => lines.slice(from, to).map((line) => ` ${line}`);
  return hunks(
    [...kept(a, Math.max(0, head - 1), head), ...middle, ...kept(a, a.length - tail, a.length - tail + 1)],
    Math.max(0, head - 1),
  );
}

/** Lines marked " ", "-" or "+", by longest common subsequence; of very large texts the whole middle is replaced. */
function script(a: readonly string[], b: readonly string[]): string[] {
  if (a.length * b.length > largestTable) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i];
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) lines.push(` ${a[i++]}`, ...(j++, []));
    else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

/** Cuts a script into hunks: runs of unchanged lines shrink to one on each side of a change. */
function hunks(lines: readonly string[], offset: number): string {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - 1), index + 2).some((line) => !line.startsWith(" ")),
  );
  const out: string[] = [];
  let [from, to] = [offset + 1, offset + 1];
  let open: string[] = [];
  let start = [from, to];
  const close = () => {
    if (open.length === 0) return;
    const count = (mark: string) => open.filter((line) => !line.startsWith(mark)).length;
    out.push(`@@ -${start[0]},${count("+")} +${start[1]},${count("-")} @@`, ...open);
    open = [];
  };
  lines.forEach((line, index) => {
    if (isNear[index] === true) {
      if (open.length === 0) start = [from, to];
      open.push(line);
    } else close();
    if (!line.startsWith("+")) from += 1;
    if (!line.startsWith("-")) to += 1;
  });
  close();
  return out.join("\n");
}

/** Cells of the table of common lines that are worth their memory. */
const largestTable = 1_000_000;
