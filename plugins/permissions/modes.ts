import type { PluginHost, SessionInfo } from "@quire/core";
import * as z from "zod";
import type { Mode } from "./options.js";
import { modes } from "./options.js";

const storedSchema = z
  .object({ mode: z.enum(modes), instead: z.enum(modes) })
  .nullable()
  .catch(null);
const key = "mode";

/** From the one that lets nothing pass to the one that lets all pass. */
const byStrictness: readonly Mode[] = ["plan", "ask", "edit", "full"];

/** The mode of each session: the one of config until the user chooses another. */
export interface SessionModes {
  /** A subagent has its parent's mode; where several sessions are open, the strictest of theirs. */
  of(session: SessionInfo): Promise<Mode>;
  /** Holds for this session, also when it is resumed, as long as config and flags say what they say now. */
  set(session: SessionInfo, mode: Mode): Promise<void>;
  open(session: SessionInfo): void;
  close(session: SessionInfo): void;
}

/** @param configured What config and flags say; chosen modes stand in `store.session` under `mode`. */
export function createSessionModes(store: PluginHost["store"], configured: Mode): SessionModes {
  const open = new Set<string>();
  const chosen = new Map<string, Promise<Mode>>();
  const load = async (id: string): Promise<Mode> => {
    const stored = storedSchema.parse((await store.session(id).get(key)) ?? null);
    return stored?.instead === configured ? stored.mode : configured;
  };
  const ofUser = (id: string): Promise<Mode> => {
    const known = chosen.get(id) ?? load(id);
    chosen.set(id, known);
    // What could not be read is read again.
    known.catch(() => chosen.delete(id));
    return known;
  };
  return {
    async of({ id, depth }) {
      if (depth === 0) return await ofUser(id);
      const parents = await Promise.all([...open].map(ofUser));
      return byStrictness.find((mode) => parents.includes(mode)) ?? configured;
    },
    async set({ id }, mode) {
      await store.session(id).set(key, { mode, instead: configured });
      chosen.set(id, Promise.resolve(mode));
    },
    open({ id, depth }) {
      if (depth === 0) open.add(id);
    },
    close({ id }) {
      open.delete(id);
      chosen.delete(id);
    },
  };
}
