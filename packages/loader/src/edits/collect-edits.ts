import { join } from "node:path";
import type { Diagnostic } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import type { Preset } from "../config/preset.js";
import type { UsedConfig } from "../config/used-config.js";
import type { LoadFlags } from "../contract.js";
import { parseSectionFile } from "../markdown/section-file.js";
import { readSectionFiles } from "../markdown/section-files.js";
import { needsTrust, type Project } from "../trust/project.js";
import { configEdits, presetEdits } from "./config-edits.js";
import { flagEdits } from "./flag-edits.js";
import { flagTexts } from "./flag-text.js";
import { instructionsEdit } from "./instructions-edit.js";

export interface EditSources {
  readonly preset: Preset | undefined;
  /** The config files that count, from low to high. */
  readonly configs: readonly UsedConfig[];
  readonly project: Project | null;
  readonly trusted: boolean;
  readonly home: string;
  readonly quireHome: string;
  readonly flags: LoadFlags;
  readonly typedAt: string;
  /** False: a flag's text is never the name of a file. */
  readonly flagFiles: boolean;
  /** The text of the profile in force. */
  readonly profile: readonly HostEdit[];
}

/** All edits from outside the plugins. Within a layer config comes after Markdown, so that it has the last word. */
export async function collectEdits(
  sources: EditSources,
): Promise<{ readonly edits: readonly HostEdit[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { preset, project, configs, trusted, home, quireHome, flags, typedAt } = sources;
  const userFiles = await readSectionFiles(join(quireHome, "sections"));
  const projectFiles = project?.sectionEdits ?? [];
  const texts = flagTexts(typedAt, sources.flagFiles);
  const ofConfig = async (wanted: UsedConfig["layer"]): Promise<readonly HostEdit[]> => {
    const files = configs.filter(({ layer }) => layer === wanted);
    return (await Promise.all(files.map(({ config, layer, read }) => configEdits(config, layer, read)))).flat();
  };
  const found = [
    ...(await presetEdits(preset)),
    ...(await ofConfig("preset")),
    ...userFiles.map((file) => parseSectionFile(file, "user")),
    ...(await ofConfig("user")),
    ...projectFiles.filter((edit) => trusted || !("op" in edit) || !needsTrust(edit)),
    ...(await ofConfig("project")),
    ...sources.profile,
    ...(await instructionsEdit(flags.instructions, texts, configs, home)),
    ...(await flagEdits(flags, texts)),
  ];
  return {
    edits: found.filter((each): each is HostEdit => "op" in each),
    diagnostics: [...found.filter((each): each is Diagnostic => !("op" in each)), ...texts.diagnostics],
  };
}
