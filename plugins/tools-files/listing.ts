import type { Overflow } from "./overflow.js";

/** An answer of `ls`, `find` or `grep` holds at most so many lines. */
export const maxListingLines = 1000;
/** And at most so many characters. */
export const maxListingCharacters = 30_000;

export interface Listing {
  readonly lines: readonly string[];
  /** Plural, for the notes: `entries`, `paths`, `matching lines`. */
  readonly noun: string;
  /** Stem of the overflow file. */
  readonly name: string;
  /** The answer when there are no lines. */
  readonly empty: string;
  /** Each becomes one line in brackets at the end. */
  readonly notes: readonly string[];
}

/** Joins the lines; what does not fit goes to a file that the answer names. */
export async function renderListing(listing: Listing, overflow: Overflow): Promise<string> {
  const { lines, noun } = listing;
  const shown = fitting(lines);
  const notes = [...listing.notes];
  if (shown < lines.length) {
    const where = await overflow.save(listing.name, `${lines.join("\n")}\n`).then(
      (file) => `all of them stand in ${file}`,
      (error: unknown) => `the others could not be kept in a file (${String(error)})`,
    );
    notes.unshift(`${shown} of ${lines.length} ${noun} are shown; ${where}`);
  }
  const body = lines.length === 0 ? listing.empty : lines.slice(0, shown).join("\n");
  return [body, ...notes.map((note) => `[${note}]`)].join("\n");
}

function fitting(lines: readonly string[]): number {
  let characters = 0;
  let count = 0;
  for (const line of lines.slice(0, maxListingLines)) {
    characters += line.length + 1;
    if (characters > maxListingCharacters && count > 0) break;
    count++;
  }
  return count;
}
