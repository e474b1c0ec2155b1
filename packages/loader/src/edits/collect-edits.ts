import { join } from "node:path";
import type { Diagnostic } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import type { Preset } from "../config/preset.js";
import type { YamlFile } from "../config/yaml-file.js";
import type { LoadFlags } from "../contract.js";
import { parseSectionFile } from "../markdown/section-file.js";
import { readSectionFiles } from "../markdown/section-files.js";
import { needsTrust, type Project } from "../trust/project.js";
import { configEdits, presetEdits, readSectionText } from "./config-edits.js";
import { flagEdits } from "./flag-edits.js";
import { instructionsEdit } from "./instructions-edit.js";

export interface EditSources {
  readonly preset: Preset | undefined;
  readonly user: YamlFile | undefined;
  readonly project: Project | null;
  /** The part of the project's config that counts. */
  readonly projectConfig: YamlFile | undefined;
  readonly trusted: boolean;
  readonly quireHome: string;
  readonly flags: LoadFlags;
  readonly typedAt: string;
}

/** All edits from outside the plugins. Within a layer config comes after Markdown, so that it has the last word. */
export async function collectEdits(
  sources: EditSources,
): Promise<{ readonly edits: readonly HostEdit[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { preset, user, project, projectConfig, trusted, quireHome, flags, typedAt } = sources;
  const userFiles = await readSectionFiles(join(quireHome, "sections"));
  const projectFiles = project?.sectionEdits ?? [];
  const found = [
    ...(await presetEdits(preset)),
    ...userFiles.map((file) => parseSectionFile(file, "user")),
    ...(user === undefined ? [] : await configEdits(user, "user", readSectionText)),
    ...projectFiles.filter((edit) => trusted || !("op" in edit) || !needsTrust(edit)),
    ...(projectConfig === undefined
      ? []
      : await configEdits(projectConfig, "project", async (file) => (await project?.texts())?.get(file) ?? null)),
    ...(await instructionsEdit(flags.instructions, typedAt, [
      ...(user === undefined ? [] : [{ layer: "user", config: user } as const]),
      ...(projectConfig === undefined ? [] : [{ layer: "project", config: projectConfig } as const]),
    ])),
    ...(await flagEdits(flags, typedAt)),
  ];
  return {
    edits: found.filter((each): each is HostEdit => "op" in each),
    diagnostics: found.filter((each): each is Diagnostic => !("op" in each)),
  };
}
