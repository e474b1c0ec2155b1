import { ConfigError, QuireError, type ProviderSpec } from "@quire/core";
import type { OpenOptions, Session } from "@quire/core/host";
import type { Loaded } from "@quire/loader";
import { chooseModel, type ModelChoice } from "./choose-model.js";
import { localChoice } from "./models/local-model.js";
import type { Flags } from "./args/flags.js";
import type { Started } from "./start-host.js";

export interface OpenedSession {
  readonly session: Session;
  /** What the user should know about the choice of model and session, one line each. */
  readonly notices: readonly string[];
  /** Gives the session back, so that another process may take it. */
  release(): Promise<void>;
}

/**
 * Opens the session the flags ask for, and takes it for this process. One that another process has is forked.
 * @param isTerminal Where no key chooses a model, one of a server on this machine is looked for.
 * @throws {QuireError} `session-unknown`, `session-ambiguous`, `model-unknown`, `layout-unknown`.
 */
export async function openSession(started: Started, flags: Flags, isTerminal = false): Promise<OpenedSession> {
  const { loaded } = started;
  const { sessions, place } = loaded;
  const notices: string[] = [];
  const wanted = await wantedSession(started, flags, notices);
  // A copy of a session leaves it to whoever has it.
  const mine = wanted?.how !== "resume" || !flags.persist || (await sessions.acquire(wanted.id));
  const how = mine ? wanted?.how : "fork";
  const model = await modelOf(started, flags, wanted?.id, notices, isTerminal);
  const session = await located(started, flags, {
    cwd: place.cwd,
    persist: flags.persist,
    ...(model !== undefined && { model }),
    ...(loaded.profile !== undefined && flags.profile?.audience === "main" && { profile: loaded.profile }),
    ...(wanted !== undefined && how !== undefined && { [how]: wanted.id }),
  });
  const { id } = session.info;
  // Nobody else knows a new id yet, so the turn need not wait for its lock.
  const locked = flags.persist && id !== wanted?.id ? sessions.acquire(id).catch(() => false) : undefined;
  if (wanted !== undefined && !mine) {
    notices.push(`session ${wanted.id} is open in another process, so this is a copy of it: ${id}`);
  }
  return {
    session,
    notices,
    release: async () => {
      await locked;
      await sessions.release(id);
    },
  };
}

async function wantedSession(
  { loaded }: Started,
  { session }: Flags,
  notices: string[],
): Promise<{ readonly how: "resume" | "fork"; readonly id: string } | undefined> {
  if (session.kind === "new") return undefined;
  if (session.kind !== "continue") {
    const id = await loaded.sessions.resolveId(session.id);
    const home = await projectOf(loaded, id);
    if (home !== undefined && home !== loaded.place.projectRoot) {
      notices.push(`session ${id} is of ${home}, and goes on in ${loaded.place.projectRoot}`);
    }
    return { how: session.kind, id };
  }
  const id = await loaded.sessions.newest(loaded.place.projectRoot);
  if (id !== undefined) return { how: "resume", id };
  notices.push(`there is no session of ${loaded.place.projectRoot} to continue, so a new one begins`);
  return undefined;
}

/** Opens a session; a model or layout of config that does not exist is told with its line. */
async function located({ host, loaded }: Started, flags: Flags, options: OpenOptions): Promise<Session> {
  try {
    return await host.open(options);
  } catch (error) {
    const key = QuireError.is(error) ? /^(model|layout)-unknown$/.exec(error.diagnostic.code)?.[1] : undefined;
    const isTyped = key === "model" ? flags.model !== undefined : flags.layout !== undefined;
    const at = key === undefined || isTyped ? undefined : loaded.config.origin(key);
    if (!QuireError.is(error) || at?.kind !== "config") throw error;
    throw new ConfigError({ ...error.diagnostic, at });
  }
}

/** The project a stored session was begun in, as its first record has it. */
async function projectOf({ sessions }: Loaded, id: string): Promise<string | undefined> {
  for await (const { projectRoot } of sessions.read(id))
    return typeof projectRoot === "string" ? projectRoot : undefined;
  return undefined;
}

/** `--model`, the profile's, the model the session was held with, config, then the first that is usable. */
async function modelOf(
  { host, loaded }: Started,
  flags: Flags,
  id: string | undefined,
  notices: string[],
  isTerminal: boolean,
): Promise<string | undefined> {
  if (flags.model !== undefined) return flags.model;
  if (loaded.profile?.model !== undefined) return undefined;
  const before = id === undefined ? undefined : await modelBefore(loaded, id);
  if (before !== undefined && isStillGood(before, host.providers)) return before;
  if (typeof loaded.config.merged["model"] === "string") return undefined;
  const usable = chooseModel(host.providers, (name) => process.env[name]);
  const choice = isTerminal && !isModel(usable) ? ((await localChoice(host.providers)) ?? usable) : usable;
  if (choice?.announcement !== undefined) notices.push(choice.announcement);
  return choice?.model;
}

/** The model of the session's last turn, as its log has it. */
async function modelBefore({ sessions }: Loaded, id: string): Promise<string | undefined> {
  let model: string | undefined;
  for await (const record of sessions.read(id)) {
    if (record["type"] === "turn-start") model = modelName(record["model"]) ?? model;
  }
  return model;
}

function modelName(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("provider" in value) || !("id" in value)) return undefined;
  return `${String(value.provider)}/${String(value.id)}`;
}

function isModel(choice: ModelChoice | undefined): boolean {
  return choice !== undefined && !choice.model.startsWith("rehearsal");
}

/** A rehearsed session goes on with a real model as soon as there is one. */
function isStillGood(model: string, providers: readonly ProviderSpec[]): boolean {
  const provider = providers.find(({ name }) => model.startsWith(`${name}/`));
  return provider !== undefined && provider.name !== "rehearsal";
}
