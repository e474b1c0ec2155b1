import type { PluginHost } from "@quire/core";
import * as z from "zod";
import type { MainArgument } from "./main-argument.js";

const grantsSchema = z.array(z.object({ tool: z.string(), argument: z.string().nullable() })).catch([]);

/** An answer that is to hold again. */
export interface Grant {
  /** Full name. */
  readonly tool: string;
  /** Exactly this main argument; null: whatever the arguments are. */
  readonly argument: string | null;
}

export type Span = "session" | "project";
export interface GrantPlace {
  readonly sessionId: string;
  readonly projectRoot: string;
}

/** What the user allowed for longer than once. Kept outside of the repository, which could otherwise allow itself. */
export interface Grants {
  has(grant: Grant, place: GrantPlace): Promise<boolean>;
  add(grant: Grant, span: Span, place: GrantPlace): Promise<void>;
}

/** The grant a "yes, and not again" to this call means. Of tools without a main argument it is the whole tool. */
export function grantFor(tool: string, argument: MainArgument): Grant {
  return { tool, argument: argument.kind === "other" ? null : argument.text };
}

/** Grants of a project stand in `store.user` under `allowed:<project root>`, those of a session in its own store. */
export function createGrants(store: PluginHost["store"]): Grants {
  const cell = (span: Span, place: GrantPlace) =>
    span === "session"
      ? { values: store.session(place.sessionId), key: "allowed" }
      : { values: store.user, key: `allowed:${place.projectRoot}` };
  const load = async (span: Span, place: GrantPlace): Promise<readonly Grant[]> => {
    const { values, key } = cell(span, place);
    return grantsSchema.parse(await values.get(key));
  };
  return {
    async has(grant, place) {
      const lists = await Promise.all([load("session", place), load("project", place)]);
      return lists.flat().some((known) => isSame(known, grant));
    },
    async add(grant, span, place) {
      const known = await load(span, place);
      if (known.some((other) => isSame(other, grant))) return;
      const { values, key } = cell(span, place);
      await values.set(key, [...known, grant]);
    },
  };
}

function isSame(left: Grant, right: Grant): boolean {
  return left.tool === right.tool && left.argument === right.argument;
}
