import type { Message, ModelRef } from "../contracts/message.js";
import type { Profile } from "../contracts/section.js";
import type { SessionInfo } from "../contracts/turn.js";
import type { Memo } from "../sections/memo.js";
import type { SessionJournal } from "./journal.js";

/** One open session, as turns change it. */
export interface SessionState {
  readonly info: SessionInfo;
  readonly cwd: string;
  readonly profile: Profile | undefined;
  model: ModelRef;
  messages: Message[];
  readonly memo: Memo;
  readonly journal: SessionJournal;
  /** Settles when the turn under way, and all that wait for it, are over. */
  busy: Promise<unknown>;
}
