import { randomBytes } from "node:crypto";
import { bounded } from "../async/bounded.js";
import type { OpenOptions, Session } from "../contracts/host.js";
import type { SessionEvent } from "../contracts/turn.js";
import { defined } from "../defined.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { createMemo } from "../sections/memo.js";
import { readHistory, type StoredSession } from "./history.js";
import { createJournal, silentJournal } from "./journal.js";
import type { SessionState } from "./session-state.js";
import { startTurn } from "./turn.js";

/** Opens a new, resumed or forked session. */
export async function openSession(core: HostCore, options: OpenOptions): Promise<Session> {
  const { resume, fork } = options;
  const source = resume ?? fork;
  const stored = source === undefined ? undefined : await readHistory(source, core.options.log.read(source));
  const state = createSessionState(core, options, 0, stored);
  await announceSession(core, state, resume !== undefined ? "resume" : fork === undefined ? "new" : "fork");
  return createSession(core, state);
}

/** @param depth More than 0 for a subagent's session. */
export function createSessionState(
  core: HostCore,
  { cwd, resume, fork, model, profile, persist }: OpenOptions,
  depth: number,
  stored?: StoredSession,
): SessionState {
  const id = resume ?? newSessionId(core.now());
  const place = core.place(cwd);
  const head = { id, cwd: place.cwd, projectRoot: place.projectRoot, ...defined({ parent: fork }) };
  const inherited = fork === undefined ? [] : (stored?.records ?? []).filter(({ type }) => type !== "session");
  const { log, ask } = core.options;
  const state: SessionState = {
    info: { id, interactive: ask !== undefined, depth },
    cwd,
    profile,
    model: core.resolveModel(model, cwd),
    messages: stored?.messages ?? [],
    memo: createMemo(),
    journal: persist === false ? silentJournal : createJournal(log, head, inherited, resume !== undefined, core.now),
    busy: Promise.resolve(),
  };
  core.sessions.add(state);
  return state;
}

export async function announceSession(
  core: HostCore,
  { cwd, info: session }: SessionState,
  reason: SessionEvent["reason"],
): Promise<void> {
  // Its own signal: a session ends properly also when the host is being disposed.
  const event = { ...core.place(cwd), session, signal: new AbortController().signal, reason };
  await core.bus.tell(reason === "exit" ? "sessionEnd" : "sessionStart", event);
}

/** A turn that was stopped is waited for, but not for ever. */
const turnEndLimitMs = 10_000;

/** Ends a session once its turn is over. */
export async function endSession(core: HostCore, state: SessionState): Promise<void> {
  await bounded(() => state.busy, turnEndLimitMs * core.timeScale, new AbortController().signal).catch(() => undefined);
  if (core.sessions.delete(state)) await announceSession(core, state, "exit");
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
      const isOwnView = audience === "main" && profile === undefined;
      const view: SessionState = {
        ...state,
        messages: message === undefined ? messages : [...messages, userMessage(message)],
        memo: isOwnView ? state.memo : createMemo(),
      };
      const context = { ...core.place(state.cwd), session, model, turnId: "preview", request: 0, signal: core.signal };
      const input = { text: message ?? "", trigger: "user", audience, profile } as const;
      return (await prepareTurn(core, view, input, context)).prompt;
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
