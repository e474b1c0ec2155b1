/** What a template became. */
export interface Expansion {
  readonly text: string;
  /** How many placeholders were filled. */
  readonly placeholders: number;
  /** Words that look like a placeholder and stand in the text as they are. */
  readonly literal: readonly string[];
}

/**
 * Fills the placeholders of a template in one pass: what a word or a default holds is never looked at again.
 *
 * `$1` one word, `$@` and `$ARGUMENTS` all of them, `${1:-text}` and `${@:-text}` the same with a default for none or
 * an empty one, `${@:2}` all from the second on, `${@:2:3}` three of those. A missing word is an empty text; anything
 * else stays as it is.
 */
export function expandTemplate(template: string, words: readonly string[]): Expansion {
  let text = "";
  let placeholders = 0;
  let index = 0;
  for (;;) {
    const next = template.indexOf("$", index);
    if (next === -1) break;
    const filled = fill(template, next, words);
    text += template.slice(index, next) + (filled?.value ?? "$");
    index = filled?.end ?? next + 1;
    if (filled !== undefined) placeholders += 1;
  }
  const literal = placeholders === 0 ? [] : words.filter(looksLikePlaceholder);
  return { text: text + template.slice(index), placeholders, literal };
}

interface Filled {
  readonly value: string;
  /** Where the template goes on. */
  readonly end: number;
}

/** The value of the placeholder that begins at `at`; undefined when none does. */
function fill(template: string, at: number, words: readonly string[]): Filled | undefined {
  const all = words.join(" ");
  const [short, name = ""] = matchAt(/\$(@|ARGUMENTS(?!\w)|[1-9]\d*)/y, template, at);
  if (short !== undefined) return { value: /^\d/.test(name) ? wordAt(words, name) : all, end: at + short.length };
  const [slice, from = "", count] = matchAt(/\$\{@:(\d+)(?::(\d+))?\}/y, template, at);
  if (slice !== undefined) {
    const start = Math.max(Number(from), 1) - 1;
    const end = count === undefined ? words.length : start + Number(count);
    return { value: words.slice(start, end).join(" "), end: at + slice.length };
  }
  const [head, which = ""] = matchAt(/\$\{(@|[1-9]\d*):-/y, template, at);
  if (head === undefined) return undefined;
  const start = at + head.length;
  const end = closingBrace(template, start);
  if (end === -1) return undefined;
  const given = which === "@" ? all : wordAt(words, which);
  return { value: given === "" ? template.slice(start, end) : given, end: end + 1 };
}

function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

function wordAt(words: readonly string[], number: string): string {
  return words[Number(number) - 1] ?? "";
}

/** The brace that ends a default: braces within it are counted; where they do not match, the first one ends it. */
function closingBrace(template: string, start: number): number {
  let depth = 0;
  for (let index = start; index < template.length; index++) {
    const sign = template.charAt(index);
    if (sign === "{") depth += 1;
    if (sign === "}" && depth === 0) return index;
    if (sign === "}") depth -= 1;
  }
  return template.indexOf("}", start);
}

function looksLikePlaceholder(word: string): boolean {
  return /\$(?:@|ARGUMENTS|[1-9]|\{(?:@|[1-9]\d*):)/.test(word);
}
