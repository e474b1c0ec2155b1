import { ConfigError } from "@quire/core";
import type { ExitCode } from "../exit-code.js";
import { promptMap } from "../prompt/prompt-map.js";
import { json, type CommandContext } from "./command-context.js";
import { documentOf, openUnstored, withHost } from "./with-host.js";

/** `agent prompt`: the prompt of the next turn, by the function a turn uses. */
export function promptCommand(given: CommandContext): Promise<ExitCode> {
  const context = asStored(asChild(given));
  const { options, streams } = context;
  return withHost<ExitCode>(context, async (started) => {
    if (options.turn !== undefined || options.diff !== undefined) {
      const { recordedPrompt } = await import("./recorded-prompt.js");
      return recordedPrompt(started, context);
    }
    const session = await openUnstored(started, context);
    if (options.wire !== undefined || options.conversation !== undefined) {
      const { wireBody } = await import("./wire-body.js");
      streams.out.write(json(await wireBody(started, session, context)));
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

/** `--session` without a recorded turn: the prompt of that session's next one. */
function asStored(context: CommandContext): CommandContext {
  const { options, flags } = context;
  const { session, turn, request, diff } = options;
  const isRecorded = turn !== undefined || diff !== undefined;
  const problem =
    turn !== undefined && diff !== undefined
      ? (["--turn shows one recorded turn and --diff two", "Keep one of them"] as const)
      : request !== undefined && turn === undefined
        ? (["--request chooses a request of a recorded turn, and none is named", "Add --turn N"] as const)
        : undefined;
  if (problem === undefined) {
    if (session === undefined || isRecorded) return context;
    return { ...context, flags: { ...flags, session: { kind: "resume", id: session } } };
  }
  const [message, fix] = problem;
  throw new ConfigError({ code: "arguments-invalid", level: "error", message, fix });
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
