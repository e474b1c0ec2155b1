import type { PermissionRequest } from "@quire/core";

const maxLines = 20;
const maxLineLength = 160;

/** The lines a call of `edit` or `write` takes away and puts there, as `- old` and `+ new`; none of any other call. */
export async function changePreview(
  request: Pick<PermissionRequest, "tool" | "call" | "read">,
  path: string | undefined,
): Promise<readonly string[]> {
  const { old_string: old, new_string: fresh, content } = request.call.args;
  if (request.tool === "tools-files/edit" && typeof old === "string" && typeof fresh === "string") {
    return changedLines(old, fresh);
  }
  if (request.tool !== "tools-files/write" || typeof content !== "string" || path === undefined) return [];
  const before = await request.read(path).catch(() => null);
  return changedLines(before ?? "", content);
}

/** What is left of both texts without the lines they begin and end with in common. */
function changedLines(old: string, fresh: string): readonly string[] {
  const [gone, come] = [linesOf(old), linesOf(fresh)];
  while (gone.length > 0 && gone[0] === come[0]) {
    gone.shift();
    come.shift();
  }
  while (gone.length > 0 && gone.at(-1) === come.at(-1)) {
    gone.pop();
    come.pop();
  }
  return [...shown("-", gone), ...shown("+", come)];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function shown(sign: "-" | "+", lines: readonly string[]): readonly string[] {
  const some = lines.slice(0, maxLines).map((line) => `${sign} ${clip(line)}`);
  return lines.length > maxLines ? [...some, `${sign} … ${lines.length - maxLines} more lines`] : some;
}

function clip(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 1)}…`;
}
