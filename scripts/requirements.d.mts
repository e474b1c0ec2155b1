/** The page of all requirements as it should be, and test names that begin with an id no rule has. */
export function requirementsPage(): Promise<{ readonly text: string; readonly unknown: readonly string[] }>;
