import { randomBytes } from "node:crypto";
import type { OpenOptions, Session } from "../contracts/host.js";
import type { Config } from "../contracts/place.js";
import type { SessionEvent } from "../contracts/turn.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { createMemo } from "../sections/memo.js";
import { readHistory, type StoredSession } from "./history.js";
import { createJournal, silentJournal } from "./journal.js";
import type { SessionState } from "./session-state.js";
import { startTurn } from "./turn.js";

/** Opens a new, resumed or forked session. */
export async function openSession(core: HostCore, options: OpenOptions): Promise<Session> {
  const source = options.resume ?? options.fork;
  const stored = source === undefined ? undefined : await readHistory(source, core.options.log.read(source));
  const state = createSessionState(core, options, 0, stored);
  await announceSession(
    core,
    state,
    options.resume !== undefined ? "resume" : options.fork === undefined ? "new" : "fork",
  );
  return createSession(core, state);
}

/** @param depth More than 0 for a subagent's session. */
export function createSessionState(
  core: HostCore,
  options: OpenOptions,
  depth: number,
  stored?: StoredSession,
): SessionState {
  const id = options.resume ?? newSessionId(core.now());
  const isResumed = options.resume !== undefined;
  const inherited: readonly Config[] =
    options.fork === undefined ? [] : (stored?.records ?? []).filter((record) => record["type"] !== "session");
  const place = core.place(options.cwd);
  const head = {
    id,
    cwd: place.cwd,
    projectRoot: place.projectRoot,
    inherited,
    ...(options.fork === undefined ? {} : { parent: options.fork }),
  };
  const state: SessionState = {
    info: { id, interactive: core.options.ask !== undefined, depth },
    cwd: options.cwd,
    profile: options.profile,
    model: core.resolveModel(options.model, options.cwd),
    messages: stored?.messages ?? [],
    memo: createMemo(),
    journal: options.persist === false ? silentJournal : createJournal(core.options.log, head, isResumed, core.now),
    busy: Promise.resolve(),
  };
  core.sessions.add(state);
  return state;
}

export async function announceSession(
  core: HostCore,
  state: SessionState,
  reason: SessionEvent["reason"],
): Promise<void> {
  await core.bus.tell("sessionStart", sessionEvent(core, state, reason));
}

/** Ends a session once its turn is over. */
export async function endSession(core: HostCore, state: SessionState): Promise<void> {
  await state.busy;
  if (!core.sessions.delete(state)) return;
  await core.bus.tell("sessionEnd", sessionEvent(core, state, "exit")).catch(() => undefined);
}

function sessionEvent(core: HostCore, state: SessionState, reason: SessionEvent["reason"]): SessionEvent {
  return { ...core.place(state.cwd), session: state.info, signal: core.signal, reason };
}

function createSession(core: HostCore, state: SessionState): Session {
  return {
    info: state.info,
    get model() {
      return state.model;
    },
    get messages() {
      return state.messages;
    },
    send: (text, signal) => startTurn(core, state, { text, trigger: "user", audience: "main" }, signal),
    async prompt(options = {}) {
      const { message, audience = "main", profile } = options;
      const view: SessionState =
        message === undefined ? state : { ...state, messages: [...state.messages, userMessage(message)] };
      const isOwnView = audience === "main" && profile === undefined;
      const context = {
        ...core.place(state.cwd),
        session: state.info,
        model: state.model,
        turnId: "preview",
        request: 0,
        signal: core.signal,
      };
      const prepared = await prepareTurn(core, view, {
        trigger: "user",
        prompt: message ?? "",
        audience,
        profile: profile ?? state.profile,
        system: undefined,
        tools: undefined,
        memo: isOwnView ? state.memo : createMemo(),
        context,
      });
      return prepared.prompt;
    },
    async clear() {
      await state.busy;
      state.messages = [];
      state.memo.clear();
      await state.journal.append({ type: "clear" });
      await announceSession(core, state, "clear");
    },
    setModel(model) {
      state.model = core.resolveModel(model, state.cwd);
    },
    close: () => endSession(core, state),
  };
}

/** Sorts by time; the random end keeps two sessions of one second apart. */
function newSessionId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
