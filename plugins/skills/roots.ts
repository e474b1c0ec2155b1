import path from "node:path";
import type { Place } from "@quire/core";

/** A folder whose subfolders are skills or groups of skills. */
export interface SkillRoot {
  /** Absolute. */
  readonly folder: string;
  readonly scope: "user" | "project";
}

/**
 * Where skills are looked for, the lowest rank first: of two skills with one name the one from the later root counts.
 * The user's own come first, then the folders named in config, then the project's.
 */
export function skillRoots(
  place: Pick<Place, "home" | "quireHome" | "projectRoot">,
  paths: readonly string[],
): readonly SkillRoot[] {
  const user = [
    path.join(place.home, ".agents", "skills"),
    path.join(place.quireHome, "skills"),
    ...paths.map((folder) => (folder.startsWith("~/") ? path.join(place.home, folder.slice(2)) : folder)),
  ];
  const project = [path.join(place.projectRoot, ".agents", "skills"), path.join(place.projectRoot, ".quire", "skills")];
  const roots: readonly SkillRoot[] = [
    ...user.map((folder) => ({ folder, scope: "user" as const })),
    ...project.map((folder) => ({ folder, scope: "project" as const })),
  ];
  // In the home folder the project's folders may be the user's own: one place is looked at once, with its higher rank.
  return roots.filter(({ folder }, index) => !roots.slice(index + 1).some((later) => later.folder === folder));
}
