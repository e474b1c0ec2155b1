import { QuireError } from "@quire/core";
import type { Prompt, Session } from "@quire/core/host";
import { openSession } from "../open-session.js";
import { promptDocument, type PromptDocument } from "../prompt/prompt-document.js";
import { startHost, type Started } from "../start-host.js";
import { noteUntrusted } from "../untrusted.js";
import type { CommandContext } from "./command-context.js";
import { presetOf } from "./preset-of.js";

/** Runs `work` on a host that is ended afterwards. */
export async function withHost<T>(context: CommandContext, work: (started: Started) => Promise<T>): Promise<T> {
  const { launch, flags, sink } = context;
  const started = await startHost(launch, flags, sink);
  try {
    for (const missing of started.loaded.requiredMissing) sink.report(missing);
    noteUntrusted(started.loaded, sink);
    return await work(started);
  } finally {
    await started.close();
  }
}

/** A session to look at: nothing of it is stored, and no other process is kept from it. */
export async function openUnstored(started: Started, context: CommandContext): Promise<Session> {
  const { session, notices } = await openSession(started, { ...context.flags, persist: false });
  for (const notice of notices) context.streams.note(notice);
  return session;
}

/** The next prompt, of the main agent or of the subagent that `--child` names; its findings go to the sink. */
export async function promptOf({ loaded }: Started, session: Session, context: CommandContext): Promise<Prompt> {
  const { message } = context.options;
  const prompt = await session.prompt({
    ...(message !== undefined && { message }),
    ...(loaded.profile !== undefined &&
      context.flags.profile?.audience === "subagent" && { audience: "subagent", profile: loaded.profile }),
  });
  for (const diagnostic of prompt.diagnostics) context.sink.report(diagnostic);
  return prompt;
}

/** The account of the next prompt. */
export async function documentOf(started: Started, session: Session, context: CommandContext): Promise<PromptDocument> {
  const earlier = context.sink.all;
  const prompt = await promptOf(started, session, context);
  return promptDocument(
    { ...prompt, diagnostics: context.sink.all.slice(earlier.length) },
    { preset: presetOf(started), plugins: started.host.plugins, diagnostics: earlier },
  );
}

/**
 * Makes the next prompt so that what goes wrong on the way reaches the sink: a section that throws, a skill that cannot
 * be read, a model or layout that does not exist.
 */
export async function tryPrompt(started: Started, context: CommandContext): Promise<void> {
  try {
    const { session } = await openSession(started, { ...context.flags, persist: false });
    await promptOf(started, session, context);
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    context.sink.report(error.diagnostic);
  }
}
