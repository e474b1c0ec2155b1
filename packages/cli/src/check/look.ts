import type { Diagnostic, ResolvedSection } from "@quire/core";
import { createHost, type Host, type HostOptions, type Session } from "@quire/core/host";
import { inAlteredProcess } from "./altered-process.js";
import type { Circumstances, Variant } from "./circumstances.js";

/** What a prompt's sections say, by name. */
export interface View {
  readonly sections: ReadonlyMap<string, ResolvedSection>;
  readonly leftOut: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One change seen three ways. */
export interface Looks {
  /** Before the change. */
  readonly before: View;
  /** After it, in the same host and session: what the memo made of it. */
  readonly kept: View;
  /** After it, in a host that knows nothing: what is true now. */
  readonly fresh: View;
}

type Options = Omit<HostOptions, "log" | "now" | "onDiagnostic">;

/**
 * Looks at the prompt's sections before and after a change. Nothing is sent or stored.
 * @param base Circumstances before the change.
 */
export async function lookAt(
  options: Options,
  cwd: string,
  model: string | undefined,
  base: Circumstances,
  { circumstances: changed, globalOnly }: Variant,
): Promise<Looks> {
  let now = base;
  const old = await createHost(hostOptions(options, () => now));
  try {
    const session = await open(old, cwd, model);
    const before = await inAlteredProcess(base, () => view(old, session, base));
    now = changed;
    const kept = await inAlteredProcess(changed, async () => {
      // A session never leaves its place; what outlives it is shared by the whole host.
      const same = globalOnly ? await open(old, changed.place?.cwd ?? cwd, model) : session;
      return await view(old, same, changed);
    });
    const fresh = await createHost(hostOptions(options, () => changed));
    try {
      return {
        before,
        kept,
        fresh: await inAlteredProcess(changed, async () =>
          view(fresh, await open(fresh, changed.place?.cwd ?? cwd, model), changed),
        ),
      };
    } finally {
      await fresh.dispose();
    }
  } finally {
    await old.dispose();
  }
}

function open(host: Host, cwd: string, model: string | undefined): Promise<Session> {
  return host.open({ cwd, persist: false, ...(model !== undefined && { model }) });
}

async function view(host: Host, session: Session, { model, tools }: Circumstances): Promise<View> {
  if (model === "other") await session.setModel(otherModel(host, session));
  const names = host.tools.filter(({ off }) => off === undefined).map(({ name }) => name);
  const half = names.filter((_, index) => index % 2 === 0);
  const prompt = await session.prompt(tools === "half" ? { tools: half } : {});
  const own = prompt.sections.filter(({ origin }) => origin.kind !== "turn");
  return {
    sections: new Map(own.map((section) => [section.name, section])),
    leftOut: prompt.leftOut.map(({ section }) => section),
    diagnostics: prompt.diagnostics,
  };
}

/** Of another provider, if there is one. */
function otherModel(host: Host, { model }: Session): string {
  const other = host.providers.find(({ name, defaultModel }) => name !== model.provider && defaultModel !== undefined);
  return other === undefined ? `${model.provider}/${model.id}-other` : `${other.name}/${other.defaultModel}`;
}

function hostOptions(options: Options, now: () => Circumstances): HostOptions {
  const RealDate = Date;
  return {
    ...options,
    log: { append: async () => {}, read: noRecords },
    now: () => new RealDate(RealDate.now() + now().offsetMs),
    environment: () => now().environment,
    place(cwd) {
      const { place, environment } = now();
      const env = (name: string) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
      const found = { ...options.place(cwd), env };
      return place === undefined ? found : { ...found, ...place, cwd, projectRoot: cwd };
    },
  };
}

async function* noRecords(): AsyncGenerator<never> {}
