/** One note for all folders and files that could not be read, or none. */
export function unreadableNote(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, 5).join(", ");
  return [`Not readable: ${named}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`];
}
