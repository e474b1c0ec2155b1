/** Lines of a text table: columns padded to their widest cell, two spaces between, no trailing blanks. */
export function table(
  rows: readonly (readonly string[])[],
  options: { readonly right?: readonly number[] } = {},
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  const pad = (cell: string, column: number) =>
    options.right?.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}
