import { replayRequest, type RecordedRequest } from "@quire/loader";
import type { ExitCode } from "../exit-code.js";
import { count } from "../output/count.js";
import { promptDiff, promptDiffText } from "../prompt/prompt-diff.js";
import { promptMap } from "../prompt/prompt-map.js";
import { recordedDocument } from "../prompt/recorded-document.js";
import type { Started } from "../start-host.js";
import { json, printResult, type CommandContext } from "./command-context.js";
import { recordsOf, storedSession } from "./stored-session.js";
import { findByApi } from "./wire-provider.js";

/** `agent prompt --turn N` and `--diff N,M`: what a stored session sent, from its log alone. */
export async function recordedPrompt(started: Started, context: CommandContext): Promise<ExitCode> {
  const { options, streams } = context;
  const session = await storedSession(started, context);
  const records = await recordsOf(started, session);
  if (options.diff !== undefined) {
    const diff = promptDiff(records, ...options.diff);
    printResult(context, { session, ...diff }, promptDiffText(diff));
    return 0;
  }
  const recorded = replayRequest(records, options.turn ?? 1, options.request);
  if (recorded.tail !== null) {
    streams.note(
      `a tail of ${count(recorded.tail.bytes, "byte")} went behind the last message; tails are never stored`,
    );
  }
  const document = recordedDocument(session, recorded);
  if (options.wire !== undefined) streams.out.write(json(wireBody(started, recorded, options.wire)));
  else if (options.json) streams.out.write(json(document));
  else if (options.map) streams.out.write(promptMap(document));
  else streams.out.write(document.text.endsWith("\n") ? document.text : `${document.text}\n`);
  return 0;
}

/** Another API than the turn's own gets the request as its provider's default model would. */
function wireBody({ host }: Started, { body }: RecordedRequest, mode: string): unknown {
  const own = host.providers.find(({ name }) => name === body.model.provider);
  if (own?.api === mode) return own.project(body).body;
  const provider = findByApi(host.providers, mode);
  const model = { provider: provider.name, id: provider.defaultModel ?? body.model.id };
  return provider.project({ ...body, model }).body;
}
