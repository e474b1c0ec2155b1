import type { Turns, TurnOptions } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { pluginError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { announceSession, createSessionState } from "./open-session.js";
import type { SessionState } from "./session-state.js";
import { startTurn } from "./turn.js";

/** Turns that plugins start: subagents of a running turn, or turns of their own. */
export function createTurns(core: () => HostCore): Turns {
  return {
    start({ prompt, session: id, audience, ...options }, signal) {
      const { parent, profile, system, tools } = options;
      const session = id === undefined ? newSession(core(), options) : findSession(core(), id);
      const [trigger, kind] =
        parent === undefined ? (["synthetic", "main"] as const) : (["subagent", "subagent"] as const);
      const input = { text: prompt, trigger, audience: audience ?? kind, profile, system, tools };
      return startTurn(
        core(),
        session,
        input,
        parent === undefined ? signal : AbortSignal.any([signal, parent.signal]),
      );
    },
  };
}

function newSession(core: HostCore, { parent, persist, ...options }: Omit<TurnOptions, "prompt">): SessionState {
  const cwd = parent?.cwd ?? [...core.sessions][0]?.cwd;
  if (cwd === undefined) {
    const message = "A turn was started before any session was open";
    throw pluginError("turn-without-place", message, { fix: "Start it from a hook or a tool" });
  }
  const model = options.model ?? (parent && `${parent.model.provider}/${parent.model.id}`);
  const state = createSessionState(core, { cwd, ...defined({ model, persist }) }, (parent?.session.depth ?? -1) + 1);
  state.busy = announceSession(core, state, "new");
  return state;
}

function findSession(core: HostCore, id: string): SessionState {
  const found = [...core.sessions].find(({ info }) => info.id === id);
  if (found !== undefined) return found;
  throw pluginError("session-unknown", `No open session has the id "${id}"`, {
    fix: "Leave session out for a new one",
  });
}
