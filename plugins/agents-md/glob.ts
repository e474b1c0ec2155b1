/**
 * Whether a path matches a glob, both with "/" between their parts: `*` and `?` within a part, `**` for any number of
 * parts, `[abc]`, `[!abc]` and `{a,b}`. A pattern without "/" matches at any depth.
 */
export function matchesGlob(pattern: string, file: string): boolean {
  const parts = file.split("/");
  return alternatives(pattern.replace(/^\.?\//, "")).some((one) => {
    const wanted = one.includes("/") ? one : `**/${one}`;
    return matchParts(wanted.split("/").map(toPart), parts, 0, 0, new Set());
  });
}

/** The folder a pattern cannot leave: its parts before the first with a wildcard; empty for none. */
export function fixedFolder(pattern: string): string {
  const parts = pattern.replace(/^\.?\//, "").split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  return parts.slice(0, wild === -1 ? -1 : wild).join("/");
}

/** Braces written out, the inner ones too; at most `maxAlternatives`. */
function alternatives(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && done.length < maxAlternatives) {
    const next = open.shift() ?? "";
    const brace = /\{([^{}]*)\}/.exec(next);
    if (brace === null) {
      done.push(next);
      continue;
    }
    const [before, after] = [next.slice(0, brace.index), next.slice(brace.index + brace[0].length)];
    if (open.length < maxAlternatives)
      open.push(...(brace[1] ?? "").split(",").map((choice) => before + choice + after));
  }
  return done;
}

const maxAlternatives = 200;

type Part = "**" | ((name: string) => boolean);

function toPart(part: string): Part {
  if (part === "**") return "**";
  const tokens = [...part.matchAll(/\*+|\?|\[!?[^\]]+\]|[^*?[]+|\[/gu)].map(([token]) => token);
  return (name) => matchTokens(tokens, Array.from(name), 0, 0, new Set());
}

/** `seen` keeps what has failed, so that no pattern takes more steps than its length times the name's. */
function matchTokens(
  tokens: readonly string[],
  name: readonly string[],
  token: number,
  at: number,
  seen: Set<number>,
): boolean {
  const step = token * (name.length + 1) + at;
  if (seen.has(step)) return false;
  seen.add(step);
  const wanted = tokens[token];
  if (wanted === undefined) return at === name.length;
  const rest = (to: number) => matchTokens(tokens, name, token + 1, to, seen);
  if (wanted.startsWith("*")) return rest(at) || (at < name.length && matchTokens(tokens, name, token, at + 1, seen));
  const here = name[at];
  if (wanted === "?") return here !== undefined && rest(at + 1);
  if (wanted.startsWith("[") && wanted.length > 1) return here !== undefined && inClass(wanted, here) && rest(at + 1);
  const letters = Array.from(wanted);
  return letters.every((letter, index) => name[at + index] === letter) && rest(at + letters.length);
}

function inClass(token: string, letter: string): boolean {
  const isNot = token.startsWith("[!");
  const inner = token.slice(isNot ? 2 : 1, -1);
  const ranges = [...inner.matchAll(/(.)-(.)|(.)/gu)];
  const isIn = ranges.some(([, from, to, one]) =>
    one === undefined ? from !== undefined && to !== undefined && from <= letter && letter <= to : one === letter,
  );
  return isIn !== isNot;
}

function matchParts(
  wanted: readonly Part[],
  parts: readonly string[],
  index: number,
  at: number,
  seen: Set<number>,
): boolean {
  const step = index * (parts.length + 1) + at;
  if (seen.has(step)) return false;
  seen.add(step);
  const part = wanted[index];
  if (part === undefined) return at === parts.length;
  if (part === "**") {
    return (
      matchParts(wanted, parts, index + 1, at, seen) ||
      (at < parts.length && matchParts(wanted, parts, index, at + 1, seen))
    );
  }
  const name = parts[at];
  return name !== undefined && part(name) && matchParts(wanted, parts, index + 1, at + 1, seen);
}
