import { QuireError } from "@quire/core";
import type { PluginHost } from "@quire/core";

/** The base URLs that took no system text in mid-conversation: there it goes as the user's. */
export type UserOnly = Set<string>;

/**
 * Tries a request again, with such texts as the user's, when the vendor refused their role. Told once for each address.
 * @param baseUrlOf The address of one's own provider.
 */
export function tapRefusedRoles(
  host: PluginHost,
  userOnly: UserOnly,
  baseUrlOf: (provider: string) => string | undefined,
): void {
  host.hooks.providerError.tap(({ error }, { model }) => {
    const baseUrl = baseUrlOf(model.provider);
    if (baseUrl === undefined || userOnly.has(baseUrl)) return undefined;
    if (!QuireError.is(error) || error.diagnostic.code !== "context-role-refused") return undefined;
    userOnly.add(baseUrl);
    host.report({
      code: "context-role-refused",
      level: "info",
      message: `${baseUrl} takes no system text in mid-conversation; from now on such texts go there as the user's`,
    });
    return { retry: true, delayMs: 0 };
  });
}
