import { randomBytes } from "node:crypto";
import type { Message, ModelRef, SessionEvent, SessionInfo, TurnOptions, Turns } from "../index.js";
import type { OpenOptions, Prompt, Session } from "../host-door.js";
import { createBaselineState, forgetBaseline, type BaselineState } from "../baseline/baseline.js";
import { bounded } from "../async/bounded.js";
import { defined } from "../defined.js";
import { pluginError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { prepareTurn, userMessage } from "../prompt/prepare.js";
import { createMemo } from "../sections/memo.js";
import { readHistory, type StoredSession } from "./history.js";
import { createJournal, silentJournal, type SessionJournal } from "./journal.js";
import { startTurn } from "./turn.js";

/** Opens a new, resumed or forked session. */
export async function openSession(core: HostCore, options: OpenOptions): Promise<Session> {
  void core.layout;
  const { resume, fork } = options;
  const source = resume ?? fork;
  const stored = source === undefined ? undefined : await readHistory(source, core.options.log.read(source));
  const session = new OpenSession(core, options, 0, stored);
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
  const made = new OpenSession(core, { cwd, ...defined({ persist, model: named }) }, (parent?.session.depth ?? -1) + 1);
  made.busy = made.announce("new");
  return made;
}

/** A turn that was stopped is waited for, but not for ever. */
const turnEndLimitMs = 10_000;

/** One open session, as turns change it. */
export class OpenSession implements Session {
  readonly info: SessionInfo;
  readonly cwd: string;
  readonly memo = createMemo();
  readonly journal: SessionJournal;
  readonly prefix: BaselineState;
  model: ModelRef;
  messages: readonly Message[];
  /** The history is to be compacted before the next request, and why. */
  compactWhy: string | undefined;
  /** Settles when the turn under way, and all that wait for it, are over. */
  busy: Promise<unknown> = Promise.resolve();

  /** @param depth More than 0 for a subagent's session. */
  constructor(
    readonly core: HostCore,
    readonly options: OpenOptions,
    depth: number,
    stored?: StoredSession,
  ) {
    const { cwd, resume, fork, model, persist } = options;
    const { log, ask } = core.options;
    const id = resume ?? newSessionId(core.now());
    const { projectRoot, cwd: at } = core.place(cwd);
    const head = { id, depth, cwd: at, projectRoot, ...defined({ parent: fork }) };
    const inherited = fork === undefined ? [] : (stored?.records ?? []).filter(({ type }) => type !== "session");
    this.info = { id, interactive: ask !== undefined, depth };
    this.cwd = cwd;
    this.model = core.resolveModel(model, cwd);
    this.messages = stored?.messages ?? [];
    this.prefix = createBaselineState(stored?.records);
    const isSilent = persist === false;
    this.journal = isSilent ? silentJournal : createJournal(log, head, inherited, resume !== undefined, core.now);
    core.sessions.add(this);
  }

  send: Session["send"] = (text, signal) => startTurn(this, { text, trigger: "user", audience: "main" }, signal);

  prompt: Session["prompt"] = async ({ message, audience = "main", profile, tools } = {}): Promise<Prompt> => {
    const { core, cwd, info, options, model, prefix } = this;
    const messages = message === undefined ? this.messages : [...this.messages, userMessage(message)];
    const memo = audience === "main" && profile === undefined ? this.memo : createMemo();
    const turn = { session: info, model, turnId: "preview", request: 0, signal: core.life.signal };
    const input = { text: message ?? "", trigger: "user", audience, profile, tools } as const;
    const view = { core, cwd, info, options, model, prefix, messages, memo };
    return (await prepareTurn(view, input, { ...core.place(cwd), ...turn })).prompt;
  };

  clear = async (): Promise<void> => {
    await this.busy;
    this.messages = [];
    this.memo.clear();
    this.prefix.contents.clear();
    forgetBaseline(this.prefix, "clear");
    await this.journal.append({ type: "clear" });
    await this.announce("clear");
  };

  rebase = async (): Promise<void> => {
    await this.busy;
    forgetBaseline(this.prefix, "rebase");
    await this.journal.append({ type: "rebase" });
  };

  compact: Session["compact"] = (why, signal) =>
    startTurn(this, { text: "", trigger: "synthetic", audience: "main", compact: why }, signal);

  setModel = (model: string): void => void (this.model = this.core.resolveModel(model, this.cwd));

  /** Ends once its turn is over. */
  close = async (): Promise<void> => {
    const { sessions, timeScale } = this.core;
    const patience = bounded(() => this.busy, turnEndLimitMs * timeScale, new AbortController().signal);
    await patience.catch(() => undefined);
    if (sessions.delete(this)) await this.announce("exit");
  };

  async announce(reason: SessionEvent["reason"]): Promise<void> {
    // Its own signal: a session ends properly also when the host is being disposed.
    const event = { ...this.core.place(this.cwd), session: this.info, signal: new AbortController().signal, reason };
    await this.core.bus.tell(reason === "exit" ? "sessionEnd" : "sessionStart", event);
  }
}

/** Sorts by time; the random end keeps two sessions of one second apart. */
function newSessionId(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
