/**
 * The simple commands a shell command is made of, when that can be told for sure: split at `;`, `&`, `|`, `&&`, `||` and
 * line ends outside of quotes, white space between words made single, `2>&1` and `>/dev/null` and their like left out.
 * @returns Null when something in it could run or write more than the words say: substitutions, subshells, other
 * redirections, comments, line continuations, unclosed quotes, `${…}` with more than a name.
 */
export function commandParts(command: string): readonly string[] | null {
  const reader = new PartReader(command);
  return reader.read();
}

const harmlessOutput = /^>>?(?:&\d|[ \t]*\/dev\/null)(?=[\s;&|]|$)/;
const harmlessInput = /^<[ \t]*\/dev\/null(?=[\s;&|]|$)/;
const harmlessBoth = /^&>>?[ \t]*\/dev\/null(?=[\s;&|]|$)/;
const plainExpansion = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}/;

class PartReader {
  private readonly parts: string[] = [];
  private part = "";
  private at = 0;

  constructor(private readonly command: string) {}

  read(): readonly string[] | null {
    while (this.at < this.command.length) {
      if (!this.step()) return null;
    }
    this.endPart();
    return this.parts;
  }

  /** Takes the next piece; false when the command is not plain. */
  private step(): boolean {
    const character = this.command[this.at] ?? "";
    switch (character) {
      case "\\":
        return this.takeEscaped();
      case "'":
        return this.takeSingleQuoted();
      case '"':
        return this.takeDoubleQuoted();
      case "`":
      case "(":
      case ")":
        return false;
      case "$":
        return !/^\$[({['"]/.test(this.rest()) || plainExpansion.test(this.rest()) ? this.take(1) : false;
      case "#":
        return this.part === "" || this.part.endsWith(" ") ? false : this.take(1);
      case "<":
        return this.skip(harmlessInput);
      case ">":
        this.part = this.part.replace(/(^| )\d+$/, "$1");
        return this.skip(harmlessOutput);
      case "&":
        return this.skip(harmlessBoth) || this.endPart();
      case ";":
      case "|":
      case "\n":
        return this.endPart();
      case " ":
      case "\t":
        if (this.part !== "" && !this.part.endsWith(" ")) this.part += " ";
        this.at++;
        return true;
      default:
        return this.take(1);
    }
  }

  private rest(): string {
    return this.command.slice(this.at, this.at + 200);
  }

  private take(length: number): true {
    this.part += this.command.slice(this.at, this.at + length);
    this.at += length;
    return true;
  }

  private skip(pattern: RegExp): boolean {
    const found = pattern.exec(this.rest())?.[0];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }

  private endPart(): true {
    const part = this.part.trim();
    if (part !== "") this.parts.push(part);
    this.part = "";
    this.at++;
    return true;
  }

  /** A line continuation is taken out by the shell before it looks for operators. */
  private takeEscaped(): boolean {
    const next = this.command[this.at + 1];
    return next === undefined || next === "\n" ? false : this.take(2);
  }

  private takeSingleQuoted(): boolean {
    const end = this.command.indexOf("'", this.at + 1);
    return end === -1 ? false : this.take(end + 1 - this.at);
  }

  private takeDoubleQuoted(): boolean {
    this.take(1);
    while (this.at < this.command.length) {
      const character = this.command[this.at];
      if (character === '"') return this.take(1);
      if (character === "`") return false;
      if (character === "\\") {
        if (!this.takeEscaped()) return false;
        continue;
      }
      if (character === "$" && /^\$[({[]/.test(this.rest()) && !plainExpansion.test(this.rest())) return false;
      this.take(1);
    }
    return false;
  }
}
