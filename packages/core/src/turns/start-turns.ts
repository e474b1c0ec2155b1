import type { Turn, TurnOptions, Turns } from "../contracts/turn.js";
import { PluginError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { announceSession, createSessionState } from "./open-session.js";
import type { SessionState } from "./session-state.js";
import { startTurn } from "./turn.js";

/** Turns that plugins start: subagents of a running turn, or turns of their own. */
export function createTurns(core: () => HostCore): Turns {
  return {
    start(options: TurnOptions, signal: AbortSignal): Turn {
      const { parent } = options;
      const session =
        options.session === undefined ? newSession(core(), options) : findSession(core(), options.session);
      const stopped = parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
      const input = {
        text: options.prompt,
        trigger: parent === undefined ? "synthetic" : "subagent",
        audience: options.audience ?? (parent === undefined ? "main" : "subagent"),
        profile: options.profile,
        system: options.system,
        tools: options.tools,
      } as const;
      return startTurn(core(), session, input, stopped);
    },
  };
}

function newSession(core: HostCore, options: TurnOptions): SessionState {
  const { parent } = options;
  const cwd = parent?.cwd ?? [...core.sessions][0]?.cwd;
  if (cwd === undefined) {
    throw new PluginError({
      code: "turn-without-place",
      level: "error",
      message: "A turn was started before any session was open",
      fix: "Start it from a hook or a tool",
    });
  }
  const model = options.model ?? (parent === undefined ? undefined : `${parent.model.provider}/${parent.model.id}`);
  const open = {
    cwd,
    ...(model === undefined ? {} : { model }),
    ...(options.persist === undefined ? {} : { persist: options.persist }),
  };
  const state = createSessionState(core, open, (parent?.session.depth ?? -1) + 1);
  state.busy = announceSession(core, state, "new").catch(() => undefined);
  return state;
}

function findSession(core: HostCore, id: string): SessionState {
  const found = [...core.sessions].find((session) => session.info.id === id);
  if (found !== undefined) return found;
  throw new PluginError({
    code: "session-unknown",
    level: "error",
    message: `No open session has the id "${id}"`,
    fix: "Leave session out for a new one",
  });
}
