import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { QuireError } from "@quire/core";
import { layers, sha256, type HostEdit, type Prompt, type Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { describeOrigin } from "../output/describe-origin.js";
import { frameAround, plainText, sectionText } from "../prompt/section-text.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { decidingEdit, standingIn, standingWith, type Standing } from "./section-override.js";

/**
 * `agent sections eject NAME`: writes what the section says now to a file that replaces it, with the hash of the text
 * it replaces. The prompt stays as it is, byte for byte, wherever the layout allows that.
 */
export async function ejectSection(
  name: string,
  prompt: Prompt,
  { started, session, context }: { started: Started; session: Session; context: CommandContext },
): Promise<ExitCode> {
  const standing = standingIn(prompt, name, started);
  if (standing === undefined) {
    const why = prompt.leftOut.find(({ section }) => section === name)?.why ?? "disabled";
    throw refused(`${name} says nothing now (${why})`, "`agent sections why` tells who decides that");
  }
  const { section, rendered, escape } = standing;
  refuseUnfit(standing);
  // How the layout writes a plain text in this place: what stands around it is the layout's.
  const probe: HostEdit = { layer: "session", by: { kind: "host" }, op: "replace", section: name, content: probeText };
  const edits = [...(started.loaded.host.edits ?? []), probe];
  const probed =
    section.content.kind === "text" ? undefined : await standingWith(edits, name, started, session, context);
  const frame = frameAround(probed?.rendered ?? "", probeText);
  const { text, isExact } = sectionText(section.content, rendered, frame, escape);
  if (text.includes("{{")) {
    throw refused(`${name} holds "{{", which begins a variable in a section file`, "Replace it by a plugin");
  }
  const file = join(started.loaded.place.quireHome, "sections", `${name}.md`);
  const base = sha256(plainText(section.content));
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, `---\nbase: "${base}"\n---\n${text}\n`, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new QuireError({
      code: "section-file-exists",
      level: "error",
      message: `${file} exists and is left as it is`,
      fix: `Change it, or move it away and eject again; \`agent sections diff ${name}\` shows what it changes`,
    });
  }
  printResult(context, { name, file, base, exact: isExact }, `wrote ${file}\n`);
  if (!isExact) context.streams.note("the layout writes a plain text in another way, so the prompt changes a little");
  const above = decidingEdit(prompt, name);
  if (above !== undefined && layers.indexOf(above.layer) >= layers.indexOf("user")) {
    context.streams.note(`it does not count as long as ${describeOrigin(above.by)} decides what stands there`);
  }
  return 0;
}

/** Stands in no prompt by chance, and holds nothing that a layout escapes. */
const probeText = "quire-probe-of-a-section";

function refuseUnfit({ section: { name, owner, origin, cache } }: Standing): void {
  if (owner === "user") {
    throw refused(`${name} is your own text already`, `Change it where it is written: ${describeOrigin(origin)}`);
  }
  if (cache !== "memoized") {
    throw refused(
      `${name} changes while the work goes on (${cache.volatile}), and a file would freeze it`,
      `Add to it instead: sections/${name}.md with \`mode: append\` in its front matter`,
    );
  }
}

function refused(message: string, fix: string): QuireError {
  return new QuireError({ code: "section-not-ejectable", level: "error", message, fix });
}
