import { ProviderError } from "@quire/core";
import type { Caps, ProviderSpec } from "@quire/core";
import { loginVariable } from "./environment.js";
import { api } from "./options.js";
import type { PrivateFolders } from "./private-folders.js";
import { aliasOutputTokens, isAlias, projectForProgram } from "./project.js";
import type { ProgramWire } from "./project.js";
import type { ProgramSettings } from "./settings.js";

export interface ProviderPlace {
  readonly folders: PrivateFolders;
  readonly environment: () => NodeJS.ProcessEnv;
  /** The provider whose Anthropic bodies are handed to the program. */
  readonly base: () => ProviderSpec | undefined;
}

/** A provider that asks by one program. */
export function claudeCliProvider(settings: ProgramSettings, place: ProviderPlace): ProviderSpec {
  const { name, command, models, passEnv } = settings;
  const secrets = [loginVariable, ...passEnv.filter((variable) => /_(KEY|TOKEN|SECRET)$/.test(variable))];
  const base = (): ProviderSpec => place.base() ?? missingBase(name);
  const [defaultModel] = models;
  return {
    name,
    api,
    secrets,
    ...(defaultModel === undefined ? {} : { defaultModel }),
    available: () => settings.isConfigured,
    models: () => Promise.resolve(models.map((id) => ({ id }))),
    caps: (model): Caps => {
      const caps = base().caps(model);
      return isAlias(model) ? { ...caps, outputTokens: aliasOutputTokens } : caps;
    },
    project: (request): ProgramWire => projectForProgram(request, base(), `exec:${command}`),
    async *stream(wire, signal) {
      // Loaded when first needed: most starts ask no program.
      const { streamProgram } = await import("./stream.js");
      yield* streamProgram(wire as ProgramWire, { settings, ...place }, signal);
    },
  };
}

function missingBase(name: string): never {
  throw new ProviderError(
    {
      code: "provider-base-missing",
      level: "error",
      message: `${name} hands on the bodies of a provider of anthropic-messages, and there is none`,
      fix: "Switch the plugin provider-anthropic on",
    },
    { status: 400 },
  );
}
