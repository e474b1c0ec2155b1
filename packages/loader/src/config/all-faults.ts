import { ConfigError, type Diagnostic } from "@quire/core";

/**
 * The first fault of a config file, which names the others, so that all can be mended at once.
 * @param faults At least one.
 */
export function allFaults([first, ...others]: readonly [Diagnostic, ...Diagnostic[]]): ConfigError {
  const also = others.map(({ message, at }) => (at?.line === undefined ? message : `${message} (line ${at.line})`));
  const message = also.length === 0 ? first.message : `${first.message}; and also: ${also.join("; ")}`;
  return new ConfigError({ ...first, message });
}
