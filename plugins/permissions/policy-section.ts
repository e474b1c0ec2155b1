import type { MaybePromise, SectionSpec, SessionInfo } from "@quire/core";
import askAloneText from "../../prompts/permissions/ask-alone.md";
import askText from "../../prompts/permissions/ask.md";
import editAloneText from "../../prompts/permissions/edit-alone.md";
import editText from "../../prompts/permissions/edit.md";
import fullText from "../../prompts/permissions/full.md";
import planText from "../../prompts/permissions/plan.md";
import type { Mode } from "./options.js";

/** By mode: with a user who can be asked, and without. */
const texts: Readonly<Record<Mode, readonly [attended: string, alone: string]>> = {
  ask: [askText, askAloneText],
  edit: [editText, editAloneText],
  plan: [planText, planText],
  full: [fullText, fullText],
};

/** Tells the model what its calls may do, so that it need not find out by refusals. */
export function policySection(modeOf: (session: SessionInfo) => MaybePromise<Mode>): SectionSpec {
  return {
    name: "permissions/policy",
    slot: "session",
    cache: { volatile: "the mode may change while the session goes on", deliver: "delta" },
    compute: async ({ session }) => {
      const [attended, alone] = texts[await modeOf(session)];
      return (session.interactive ? attended : alone).trim();
    },
  };
}
