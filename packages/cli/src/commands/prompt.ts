import { ConfigError } from "@quire/core";
import type { Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { promptMap } from "../prompt/prompt-map.js";
import type { Started } from "../start-host.js";
import { json, type CommandContext } from "./command-context.js";
import { findByApi } from "./wire-provider.js";
import { documentOf, openUnstored, promptOf, withHost } from "./with-host.js";

/** `agent prompt`: the prompt of the next turn, by the function a turn uses. */
export function promptCommand(given: CommandContext): Promise<ExitCode> {
  const context = asChild(given);
  const { options, streams } = context;
  return withHost<ExitCode>(context, async (started) => {
    if (options.turn !== undefined || options.diff !== undefined) {
      const { recordedPrompt } = await import("./recorded-prompt.js");
      return recordedPrompt(started, context);
    }
    const session = await openUnstored(started, context);
    if (options.wire !== undefined) {
      streams.out.write(json(await wireBody(started, session, options.wire, context)));
      return 0;
    }
    if (options.explain !== undefined || options.at !== undefined) {
      const { explainPrompt } = await import("./explain-prompt.js");
      return explainPrompt(started, session, context);
    }
    const document = await documentOf(started, session, context);
    if (options.json) streams.out.write(json(document));
    else if (options.map) streams.out.write(promptMap(document));
    else streams.out.write(document.text.endsWith("\n") ? document.text : `${document.text}\n`);
    return 0;
  });
}

/** With `--child` the prompt is that of a subagent. */
function asChild(context: CommandContext): CommandContext {
  const { options, flags } = context;
  if (options.child === undefined) return context;
  if (flags.profile === undefined) {
    return { ...context, flags: { ...flags, profile: { name: options.child, audience: "subagent" } } };
  }
  throw new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: "--agent and --child each name the profile whose prompt is shown",
    fix: "Keep one of them",
  });
}

/** The body one provider API would get, of the session's own model where that speaks the API. */
async function wireBody(started: Started, session: Session, mode: string, context: CommandContext): Promise<unknown> {
  const { host } = started;
  const own = host.providers.find(({ name }) => name === session.model.provider);
  const provider = own?.api === mode ? own : findByApi(host.providers, mode);
  if (provider !== own) await session.setModel(provider.name);
  const prompt = await promptOf(started, session, context);
  return provider.project(prompt.request).body;
}
