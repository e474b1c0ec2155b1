import { ConfigError } from "@quire/core";

/** Subcommands that are promised and not there yet, with the second words they will have. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  mcp: ["add", "list", "get", "remove", "login", "logout"],
  plugin: [
    "new",
    "add",
    "list",
    "remove",
    "update",
    "rollback",
    "enable",
    "disable",
    "check",
    "sync",
    "docs",
    "search",
  ],
};

/**
 * Whoever types such a command wants it and not an answer of a model; a model that types it would start a second one.
 * @param there First words of the subcommands there are.
 * @throws {ConfigError} `arguments-invalid`.
 */
export function refuseReserved(words: readonly string[], there: readonly string[]): void {
  const [first = "", second] = words;
  const seconds = there.includes(first) ? undefined : Object.entries(reserved).find(([name]) => name === first)?.[1];
  if (seconds === undefined || (second !== undefined && !seconds.includes(second))) return;
  const typed = second === undefined ? first : `${first} ${second}`;
  throw new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: `This version has no command "${typed}"`,
    fix: `\`agent --help\` lists what there is. To send it as a prompt: agent -p ${words.join(" ")}`,
  });
}
