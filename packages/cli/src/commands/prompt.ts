import { ConfigError, type ProviderSpec } from "@quire/core";
import { nearest, type Session } from "@quire/core/host";
import type { ExitCode } from "../exit-code.js";
import { promptMap } from "../prompt/prompt-map.js";
import type { Started } from "../start-host.js";
import { json, type CommandContext } from "./command-context.js";
import { documentOf, openUnstored, withHost } from "./with-host.js";

/** `agent prompt`: the prompt of the next turn, by the function a turn uses. */
export function promptCommand(context: CommandContext): Promise<ExitCode> {
  const { options, streams } = context;
  return withHost<ExitCode>(context, async (started) => {
    const session = await openUnstored(started, context);
    if (options.wire !== undefined) {
      streams.out.write(json(await wireBody(started, session, options.wire, context)));
      return 0;
    }
    const document = await documentOf(started, session, context);
    if (options.json) streams.out.write(json(document));
    else if (options.map) streams.out.write(promptMap(document));
    else streams.out.write(document.text.endsWith("\n") ? document.text : `${document.text}\n`);
    return 0;
  });
}

/** The body one provider API would get, of the session's own model where that speaks the API. */
async function wireBody({ host }: Started, session: Session, mode: string, context: CommandContext): Promise<unknown> {
  const own = host.providers.find(({ name }) => name === session.model.provider);
  const provider = own?.api === mode ? own : findByApi(host.providers, mode);
  if (provider !== own) await session.setModel(provider.name);
  const { message } = context.options;
  const prompt = await session.prompt(message === undefined ? {} : { message });
  for (const diagnostic of prompt.diagnostics) context.sink.report(diagnostic);
  return provider.project(prompt.request).body;
}

function findByApi(providers: readonly ProviderSpec[], mode: string): ProviderSpec {
  const found = providers.find(({ api }) => api === mode);
  if (found !== undefined) return found;
  const modes = [...new Set(providers.map(({ api }) => api))];
  const near = nearest(mode, modes);
  throw new ConfigError({
    code: "wire-unknown",
    level: "error",
    message: `--wire got "${mode}", which no provider speaks`,
    fix: `${near === undefined ? "" : `Did you mean "${near}"? `}There are: ${modes.join(", ")}`,
  });
}
