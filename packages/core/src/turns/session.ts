import { randomBytes } from "node:crypto";
import { bounded } from "../async/bounded.js";
import type { OpenOptions, Session } from "../contracts/host.js";
import type { Message, ModelRef } from "../contracts/message.js";
import type { Profile } from "../contracts/section.js";
import type { SessionEvent, SessionInfo, TurnOptions, Turns } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { pluginError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { createBaselineState, forgetBaseline, type BaselineState } from "../baseline/baseline.js";
import { createMemo, type Memo } from "../sections/memo.js";
import { readHistory, type StoredSession } from "./history.js";
import { createJournal, silentJournal, type SessionJournal } from "./journal.js";
import { startTurn } from "./turn.js";

/** One open session, as turns change it. */
export interface SessionState extends BaselineState {
  readonly info: SessionInfo;
  readonly cwd: string;
  readonly profile: Profile | undefined;
  model: ModelRef;
  messages: readonly Message[];
  readonly memo: Memo;
  readonly journal: SessionJournal;
  /** The history is to be compacted before the next request, and why. */
  compactWhy: string | undefined;
  /** Settles when the turn under way, and all that wait for it, are over. */
  busy: Promise<unknown>;
}

/** Opens a new, resumed or forked session. */
export async function openSession(core: HostCore, options: OpenOptions): Promise<Session> {
  const { resume, fork } = options;
  const source = resume ?? fork;
  const stored = source === undefined ? undefined : await readHistory(source, core.options.log.read(source));
  const state = createState(core, options, 0, stored);
  await announce(core, state, resume !== undefined ? "resume" : fork === undefined ? "new" : "fork");
  return createSession(core, state);
}

/** Turns that plugins start: subagents of a running turn, or turns of their own. */
export function createTurns(core: () => HostCore): Turns {
  return {
    start({ prompt: text, audience, ...options }, signal) {
      const { parent, profile, system, tools } = options;
      const [trigger, usual] =
        parent === undefined ? (["synthetic", "main"] as const) : (["subagent", "subagent"] as const);
      const input = { text, trigger, audience: audience ?? usual, profile, system, tools };
      const stopped = parent === undefined ? signal : AbortSignal.any([signal, parent.signal]);
      return startTurn(core(), sessionFor(core(), options), input, stopped);
    },
    compact(sessionId, why) {
      openById(core(), sessionId).compactWhy = why;
    },
  };
}

/** Ends a session once its turn is over. */
export async function endSession(core: HostCore, state: SessionState): Promise<void> {
  // A turn that was stopped is waited for, but not for ever.
  await bounded(() => state.busy, turnEndLimitMs * core.timeScale, new AbortController().signal).catch(() => undefined);
  if (core.sessions.delete(state)) await announce(core, state, "exit");
}

const turnEndLimitMs = 10_000;

/** @param depth More than 0 for a subagent's session. */
function createState(
  core: HostCore,
  { cwd, resume, fork, model, profile, persist }: OpenOptions,
  depth: number,
  stored?: StoredSession,
): SessionState {
  const { log, ask } = core.options;
  const id = resume ?? newSessionId(core.now());
  const place = core.place(cwd);
  const head = { id, depth, cwd: place.cwd, projectRoot: place.projectRoot, ...defined({ parent: fork }) };
  const inherited = fork === undefined ? [] : (stored?.records ?? []).filter(({ type }) => type !== "session");
  const state: SessionState = {
    info: { id, interactive: ask !== undefined, depth },
    cwd,
    profile,
    model: core.resolveModel(model, cwd),
    messages: stored?.messages ?? [],
    memo: createMemo(),
    ...createBaselineState(stored?.records),
    journal: persist === false ? silentJournal : createJournal(log, head, inherited, resume !== undefined, core.now),
    compactWhy: undefined,
    busy: Promise.resolve(),
  };
  core.sessions.add(state);
  return state;
}

/** The open session a plugin names, or a new one. */
function sessionFor(core: HostCore, { session, parent, persist, model }: Omit<TurnOptions, "prompt">): SessionState {
  if (session !== undefined) return openById(core, session);
  const cwd = parent?.cwd ?? [...core.sessions][0]?.cwd;
  if (cwd === undefined) {
    const message = "A turn was started before any session was open";
    throw pluginError("turn-without-place", message, { fix: "Start it from a hook or a tool" });
  }
  const options = {
    cwd,
    ...defined({ persist, model: model ?? (parent && `${parent.model.provider}/${parent.model.id}`) }),
  };
  const state = createState(core, options, (parent?.session.depth ?? -1) + 1);
  state.busy = announce(core, state, "new");
  return state;
}

function openById(core: HostCore, id: string): SessionState {
  const found = [...core.sessions].find(({ info }) => info.id === id);
  if (found !== undefined) return found;
  throw pluginError("session-unknown", `No open session has the id "${id}"`, {
    fix: "Leave session out for a new one",
  });
}

async function announce(core: HostCore, { cwd, info }: SessionState, reason: SessionEvent["reason"]): Promise<void> {
  // Its own signal: a session ends properly also when the host is being disposed.
  const event = { ...core.place(cwd), session: info, signal: new AbortController().signal, reason };
  await core.bus.tell(reason === "exit" ? "sessionEnd" : "sessionStart", event);
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
    async prompt({ message, audience = "main", profile } = {}) {
      const { info: session, model, messages } = state;
      const seen = message === undefined ? messages : [...messages, userMessage(message)];
      const memo = audience === "main" && profile === undefined ? state.memo : createMemo();
      const context = { ...core.place(state.cwd), session, model, turnId: "preview", request: 0, signal: core.signal };
      const input = { text: message ?? "", trigger: "user", audience, profile } as const;
      return (await prepareTurn(core, { ...state, messages: seen, memo }, input, context)).prompt;
    },
    async clear() {
      await state.busy;
      state.messages = [];
      state.memo.clear();
      state.contents.clear();
      forgetBaseline(state, "clear");
      await state.journal.append({ type: "clear" });
      await announce(core, state, "clear");
    },
    async rebase() {
      await state.busy;
      forgetBaseline(state, "rebase");
      await state.journal.append({ type: "rebase" });
    },
    compact: (why, signal) =>
      startTurn(core, state, { text: "", trigger: "synthetic", audience: "main", compact: why }, signal),
    setModel: (model) => void (state.model = core.resolveModel(model, state.cwd)),
    close: () => endSession(core, state),
  };
}

/** Sorts by time; the random end keeps two sessions of one second apart. */
function newSessionId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
