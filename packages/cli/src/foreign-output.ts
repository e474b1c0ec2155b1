import { Console } from "node:console";
import { writeSync } from "node:fs";

let isOwnExit = false;

/** Ends the program. Whoever calls `process.exit` himself is told of. */
export function leave(code: number): never {
  isOwnExit = true;
  process.exit(code);
}

/**
 * Standard output is for results: what a plugin logs goes to standard error. A plugin that ends the program is told of,
 * since nobody else will say why there is no answer.
 */
export function guardOutput(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
  process.on("exit", (code) => {
    if (isOwnExit) return;
    const line = `[exit-foreign] A plugin ended the program with exit code ${code}. Leave it out with --no-plugin NAME.\n`;
    try {
      writeSync(2, line);
    } catch {
      // Nobody reads.
    }
  });
}
