/**
 * The lines of a text that hold here. A line that begins with `[name]` holds only when `names` has that name, and loses
 * the mark; a line that begins with white space belongs to the one before it.
 */
export function conditionalLines(text: string, names: ReadonlySet<string>): string {
  return text
    .trim()
    .split(/\n(?!\s)/)
    .flatMap((line) => {
      const mark = /^\[(\w+)\] /.exec(line);
      if (mark === null) return [line];
      return names.has(mark[1] ?? "") ? [line.slice(mark[0].length)] : [];
    })
    .join("\n");
}
