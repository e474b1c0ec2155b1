/** Words that may stand before a command and leave it what it is. */
const prefixes = new Set(
  (
    "! if then elif else while until do time exec command builtin eval sudo doas env nohup nice ionice " +
    "timeout stdbuf setsid xargs sh bash dash zsh ksh"
  ).split(" "),
);
const maxGuesses = 2000;

/**
 * Everything in a shell command that looks like a command of its own, for rules that forbid. Quotes are not respected,
 * so more is found than runs: a rule that forbids rather hits too much. It is a rail, not a wall; who wants to hide a
 * command can.
 */
export function commandGuesses(command: string): readonly string[] {
  const guesses = new Set<string>([command, command.trim()]);
  const pieces = command.replaceAll("\\\n", "").split(/[\n;&|(){}`<>]/);
  for (const piece of pieces) {
    const words = piece
      .replace(/["'\\]/g, "")
      .split(/[\s$]+/)
      .filter((word) => word !== "");
    for (let start = 0; start < words.length && guesses.size < maxGuesses; start++) {
      const [first = "", ...rest] = words.slice(start);
      guesses.add([first, ...rest].join(" "));
      const name = first.slice(first.lastIndexOf("/") + 1);
      guesses.add([name, ...rest].join(" "));
      if (start === 0 && !prefixes.has(name) && !isAssignment(first)) break;
    }
  }
  return [...guesses];
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word);
}
