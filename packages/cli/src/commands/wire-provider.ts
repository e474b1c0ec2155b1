import { ConfigError, type ProviderSpec } from "@quire/core";
import { nearest } from "@quire/core/host";

/**
 * The first provider that speaks an API.
 * @throws {ConfigError} `wire-unknown` with the nearest mode.
 */
export function findByApi(providers: readonly ProviderSpec[], mode: string): ProviderSpec {
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
