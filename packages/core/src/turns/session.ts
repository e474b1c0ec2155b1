import { randomBytes } from "node:crypto";
import type { Message, ModelRef, SessionEvent, SessionInfo, TurnOptions, Turns } from "../index.js";
import type { OpenOptions, Session } from "../host-door.js";
import { defined } from "../plain-data.js";
import { createBaselineState, forgetBaseline, type BaselineState } from "../baseline/baseline.js";
import { bounded } from "../async/bounded.js";
import { pluginError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { createMemo, type Memo } from "../sections/memo.js";
import { readHistory, type StoredSession } from "./history.js";
import { createJournal, silentJournal, withoutPrompt, type SessionJournal } from "./journal.js";
import { startTurn } from "./turn.js";

/** Opens a new, resumed or forked session. */
export async function openSession(core: HostCore, options: OpenOptions): Promise<Session> {
  void core.layout;
  const { resume, fork } = options;
  const source = resume ?? fork;
  const stored = source === undefined ? undefined : await readHistory(source, core.options.log.read(source));
  const session = createSession(core, options, 0, stored);
  await session.announce(resume !== undefined ? "resume" : fork === undefined ? "new" : "fork");
  return session;
}

/** Turns that plugins start: subagents of a running turn, or turns of their own. */
export function createTurns(core: HostCore): Turns {
  return {
    start({ prompt: text, audience, ...options }, signal) {
      const { parent, profile, system, tools } = options;
      const session = sessionFor(core, options);
      if (parent === undefined) {
        const input = { text, trigger: "synthetic", audience: audience ?? "main", profile, system, tools } as const;
        return startTurn(session, input, signal);
      }
      const input = { text, trigger: "subagent", audience: audience ?? "subagent", profile, system, tools } as const;
      return startTurn(session, input, AbortSignal.any([signal, parent.signal]));
    },
    compact: (sessionId, why) => void (openById(core, sessionId).compactWhy = why),
  };
}

function openById(core: HostCore, id: string): OpenSession {
  const found = [...core.sessions].find(({ info }) => info.id === id);
  if (found !== undefined) return found;
  const fix = "Leave session out for a new one";
  throw pluginError("session-unknown", `No open session has the id "${id}"`, { fix });
}

/** The open session a plugin names, or a new one. */
function sessionFor(core: HostCore, { session, parent, persist, model }: Omit<TurnOptions, "prompt">): OpenSession {
  if (session !== undefined) return openById(core, session);
  const cwd = parent?.cwd ?? [...core.sessions][0]?.cwd;
  if (cwd === undefined) {
    const message = "A turn was started before any session was open";
    throw pluginError("turn-without-place", message, { fix: "Start it from a hook or a tool" });
  }
  const named = model ?? (parent && `${parent.model.provider}/${parent.model.id}`);
  const made = createSession(core, { cwd, ...defined({ persist, model: named }) }, (parent?.session.depth ?? -1) + 1);
  made.busy = made.announce("new");
  return made;
}

/** A turn that was stopped is waited for, but not for ever. */
const turnEndLimitMs = 10_000;

/** One open session, as turns change it. */
export interface OpenSession extends Session {
  readonly core: HostCore;
  readonly options: OpenOptions;
  readonly cwd: string;
  readonly memo: Memo;
  readonly journal: SessionJournal;
  readonly prefix: BaselineState;
  model: ModelRef;
  messages: readonly Message[];
  /** The history is to be compacted before the next request, and why. */
  compactWhy: string | undefined;
  /** Settles when the turn under way, and all that wait for it, are over. */
  busy: Promise<unknown>;
  announce(reason: SessionEvent["reason"]): Promise<void>;
}

/** @param depth More than 0 for a subagent's session. */
function createSession(core: HostCore, options: OpenOptions, depth: number, stored?: StoredSession): OpenSession {
  const { cwd, resume, fork, persist } = options;
  const { log, ask } = core.options;
  const id = resume ?? newSessionId(core.now());
  const info: SessionInfo = { id, interactive: ask !== undefined, depth };
  const { projectRoot, cwd: at } = core.place(cwd);
  const head = { id, depth, cwd: at, projectRoot, ...defined({ parent: fork }) };
  const inherited = fork === undefined ? [] : (stored?.records ?? []).filter(({ type }) => type !== "session");
  const isSilent = persist === false;
  const whole = isSilent ? silentJournal : createJournal(log, head, inherited, resume !== undefined, core.now);
  const journal = core.config.isHashed ? withoutPrompt(whole) : whole;
  const facts = { core, options, cwd, info, journal, memo: createMemo(), prefix: createBaselineState(stored?.records) };
  const model = core.resolveModel(options.model, cwd);
  const start = { model, messages: stored?.messages ?? [], compactWhy: undefined, busy: Promise.resolve() };
  const session: OpenSession = {
    ...facts,
    ...start,
    send: (text, signal) => startTurn(session, { text, trigger: "user", audience: "main" }, signal),
    compact: (compact, signal) =>
      startTurn(session, { text: "", trigger: "synthetic", audience: "main", compact }, signal),
    async prompt({ message, audience = "main", profile, tools } = {}) {
      const { model, memo } = session;
      const messages = message === undefined ? session.messages : [...session.messages, userMessage(message)];
      const turn = { session: info, model, turnId: "preview", request: 0, signal: core.life.signal };
      const input = { text: message ?? "", trigger: "user", audience, profile, tools } as const;
      const isOwn = audience === "main" && profile === undefined;
      const view = { ...session, messages, memo: isOwn ? memo : createMemo() };
      return (await prepareTurn(view, input, { ...core.place(cwd), ...turn })).prompt;
    },
    async clear() {
      await session.busy;
      session.messages = [];
      session.memo.clear();
      session.prefix.contents.clear();
      forgetBaseline(session.prefix, "clear");
      await journal.append({ type: "clear" });
      await session.announce("clear");
    },
    async rebase() {
      await session.busy;
      forgetBaseline(session.prefix, "rebase");
      await journal.append({ type: "rebase" });
    },
    setModel: (name) => void (session.model = core.resolveModel(name, cwd)),
    /** Ends once its turn is over. */
    async close() {
      const patience = bounded(() => session.busy, turnEndLimitMs * core.timeScale, new AbortController().signal);
      await patience.catch(() => undefined);
      if (core.sessions.delete(session)) await session.announce("exit");
    },
    async announce(reason) {
      // Its own signal: a session ends properly also when the host is being disposed.
      const event = { ...core.place(cwd), session: info, signal: new AbortController().signal, reason };
      await core.bus.tell(reason === "exit" ? "sessionEnd" : "sessionStart", event);
    },
  };
  core.sessions.add(session);
  return session;
}

/** Sorts by time; the random end keeps two sessions of one second apart. */
function newSessionId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
