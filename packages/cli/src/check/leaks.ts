import { userInfo } from "node:os";

/** Something of this machine, user or day that a text for everybody must not hold. */
export interface Mark {
  readonly kind: "path" | "user name" | "date";
  readonly text: string;
}

/** What would give away this machine, user or day. */
export function marksOf(
  place: { readonly cwd: string; readonly projectRoot: string; readonly home: string; readonly quireHome: string },
  temporary: string,
  now: Date,
): readonly Mark[] {
  const { cwd, projectRoot, home, quireHome } = place;
  const two = (part: number) => String(part).padStart(2, "0");
  const local = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const paths = [cwd, projectRoot, quireHome, home, temporary].filter((path) => path.length > 1);
  const name = userName();
  return [
    ...paths.map((text): Mark => ({ kind: "path", text })),
    ...(name === undefined || ordinaryWords.has(name) ? [] : [{ kind: "user name", text: name } as const]),
    ...[...new Set([local, now.toISOString().slice(0, 10)])].map((text): Mark => ({ kind: "date", text })),
  ];
}

/** User names of machines and containers that are also words of any prompt. */
const ordinaryWords = new Set([
  "root",
  "user",
  "admin",
  "node",
  "dev",
  "test",
  "build",
  "agent",
  "runner",
  "app",
  "ci",
]);

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list.
    return undefined;
  }
}

/** The first mark that stands in a text by itself, not as a part of a longer word or path name. */
export function findMark(text: string, marks: readonly Mark[]): Mark | undefined {
  return marks.find(({ text: mark }) => {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const [before, after] = [text[at - 1] ?? "", text[at + mark.length] ?? ""];
      if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
    }
    return false;
  });
}
