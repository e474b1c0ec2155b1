import path from "node:path";
import { QuireError } from "@quire/core";
import type { Config, Diagnostic, Place } from "@quire/core";

export interface OutputStyle {
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The line its text begins at. */
  readonly line: number;
  /** Whether the rules for coding stay beside it. */
  readonly keepsCodingRules: boolean;
}

export interface FoundStyle {
  readonly style?: OutputStyle;
  readonly problem?: Omit<Diagnostic, "plugin">;
}

type FrontMatter = (text: string) => { readonly data: Config; readonly body: string; readonly bodyLine: number };

/** Reads a style of a trusted project, else of the user. One that is missing or broken is a problem and no style. */
export async function loadOutputStyle(
  name: string,
  place: Pick<Place, "read" | "home" | "projectRoot" | "trusted">,
  frontMatter: FrontMatter,
): Promise<FoundStyle> {
  const roots = [...(place.trusted ? [place.projectRoot] : []), place.home];
  const files = roots.map((root) => path.join(root, ".claude", "output-styles", `${name}.md`));
  for (const file of files) {
    try {
      const source = await place.read(file, { maxBytes: maxStyleBytes });
      if (source === null) continue;
      const { data, body, bodyLine } = frontMatter(source);
      const title = data["name"];
      const style = {
        name: typeof title === "string" && title.trim() !== "" ? title.trim() : name,
        file,
        text: body.trim(),
        line: bodyLine,
        keepsCodingRules: data["keep-coding-instructions"] === true,
      };
      return style.text === "" ? { problem: problem(name, file, "it has no text") } : { style };
    } catch (error) {
      return { problem: problem(name, file, reason(error)) };
    }
  }
  return { problem: problem(name, files.at(-1) ?? "", `there is no ${files.join(" and no ")}`) };
}

function problem(name: string, file: string, why: string): Omit<Diagnostic, "plugin"> {
  return {
    code: "output-style-missing",
    level: "warn",
    message: `The output style "${name}" is not used: ${why}`,
    at: { kind: "file", file },
    section: "preset-claude-code/output-style",
    fix: "Write the file, or take output_style out of config",
  };
}

function reason(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  return error instanceof Error ? error.message : String(error);
}

const maxStyleBytes = 65_536;
