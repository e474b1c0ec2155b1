import { isDeepStrictEqual } from "node:util";
import type { Layout, ResolvedSection } from "@quire/core";
import { createHost, type HostEdit, type Prompt, type Session } from "@quire/core/host";
import { placeSections } from "../prompt/section-places.js";
import type { Started } from "../start-host.js";
import type { CommandContext } from "./command-context.js";
import { promptOf } from "./with-host.js";

/** A section as it stands in a prompt. */
export interface Standing {
  readonly section: ResolvedSection;
  /** With its markup; empty when it does not stand in the prefix. */
  readonly rendered: string;
  readonly escape: Layout["escape"];
}

/** The section of that name, if it is part of the prompt. */
export function standingIn(prompt: Prompt, name: string, { host }: Pick<Started, "host">): Standing | undefined {
  const section = prompt.sections.find((each) => each.name === name);
  if (section === undefined) return undefined;
  const rendered = placeSections(prompt.pieces).get(name)?.text ?? "";
  const escape = host.layouts.find((each) => each.name === prompt.layout)?.escape;
  return { section, rendered, escape };
}

/** The same start with other edits from outside the plugins, and how the section stands there. */
export async function standingWith(
  edits: readonly HostEdit[],
  name: string,
  started: Started,
  session: Session,
  context: CommandContext,
): Promise<Standing | undefined> {
  const { host: options, place, profile } = started.loaded;
  const host = await createHost({ ...options, edits });
  try {
    const { provider, id } = session.model;
    const isMain = context.flags.profile?.audience === "main";
    const other = await host.open({
      cwd: place.cwd,
      persist: false,
      model: `${provider}/${id}`,
      ...(profile !== undefined && isMain && { profile }),
    });
    return standingIn(await promptOf({ ...started, host }, other, context), name, { host });
  } finally {
    await host.dispose();
  }
}

type Judged = Prompt["edits"][number];

/** The edit that decides what stands in a section's place, if any does. */
export function decidingEdit(prompt: Prompt, name: string): Judged | undefined {
  return prompt.edits.findLast(
    ({ section, op, won }) => won && section === name && (op === "replace" || op === "remove"),
  );
}

/** The record of such an edit, if it came from outside the plugins. */
export function editRecord(started: Started, edit: Judged): HostEdit | undefined {
  return started.loaded.host.edits?.find(
    ({ layer, by, op, section }) =>
      layer === edit.layer &&
      isDeepStrictEqual(by, edit.by) &&
      (op === "replace-group" || (op === edit.op && section === edit.section)),
  );
}
