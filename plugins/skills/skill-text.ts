import type { Place, PluginHost } from "@quire/core";
import cutText from "../../prompts/skills/cut.md";
import loadedText from "../../prompts/skills/loaded.md";
import { readSkillFile, skillEntries, type SkillText } from "./skill-file.js";
import type { Skill } from "./skill.js";

/**
 * A skill's instructions as they enter the conversation: its folder, what stands beside it, and its body without front
 * matter.
 * @throws {ToolError} As `readSkillFile`.
 */
export async function skillInstructions(
  place: Pick<Place, "read" | "list">,
  skill: Skill,
  frontMatter: PluginHost["frontMatter"],
): Promise<string> {
  const loaded = await readSkillFile(place, skill);
  const head = loadedText
    .trim()
    .replace("{name}", () => skill.name)
    .replace("{folder}", () => skill.folder);
  const others = (await skillEntries(place, skill.folder)).filter((name) => name !== "SKILL.md");
  const files = others.length === 0 ? "" : `\nBeside them stand: ${others.join(", ")}`;
  return withCutNote(loaded, `${head}${files}\n\n${bodyOf(loaded.text, frontMatter)}`);
}

/** Says behind a text that the file goes on, if it does. */
export function withCutNote(loaded: SkillText, text: string): string {
  if (!loaded.isCut) return text;
  const note = cutText
    .trim()
    .replace("{shown}", String(Buffer.byteLength(loaded.text)))
    .replace("{file}", () => loaded.file);
  return `${text}\n\n${note}`;
}

/** The text behind the front matter, whether that is good YAML or not. */
function bodyOf(text: string, frontMatter: PluginHost["frontMatter"]): string {
  try {
    return frontMatter(text).body.trim();
  } catch {
    return text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?^---[ \t]*\r?$/m, "").trim();
  }
}
