import type { Message, ModelRef } from "../contracts/message.js";
import type { Audience, Profile } from "../contracts/section.js";
import type { SessionInfo, Trigger } from "../contracts/turn.js";
import type { Memo } from "../sections/memo.js";
import type { SessionJournal } from "./journal.js";

/** One open session, as turns change it. */
export interface SessionState {
  readonly info: SessionInfo;
  readonly cwd: string;
  readonly profile: Profile | undefined;
  model: ModelRef;
  messages: readonly Message[];
  readonly memo: Memo;
  readonly journal: SessionJournal;
  /** Settles when the turn under way, and all that wait for it, are over. */
  busy: Promise<unknown>;
}

/** What a turn is started with. */
export interface TurnInput {
  /** The user's words; empty in a view of the prompt without any. */
  readonly text: string;
  readonly trigger: Trigger;
  readonly audience: Audience;
  readonly profile?: Profile | undefined;
  /** Replaces the whole prefix. */
  readonly system?: string | undefined;
  /** Names of the only tools this turn may use. */
  readonly tools?: readonly string[] | undefined;
}
