import type { Attrs } from "@quire/core";

/** Where the program finds itself, its login, its network; none of it is another provider's key. */
const kept = new Set(
  [
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
    "NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR",
    "ANTHROPIC_BASE_URL CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR",
  ].flatMap((names) => names.split(" ")),
);

/** The variable that holds a login made by the program's own `setup-token`. */
export const loginVariable = "CLAUDE_CODE_OAUTH_TOKEN";

/**
 * The part of an environment that the program gets. `ANTHROPIC_API_KEY` is not in it: with a key the program bills
 * the key and not the subscription.
 * @param passed Further variables, by name.
 */
export function programEnvironment(environment: NodeJS.ProcessEnv, passed: readonly string[]): Attrs {
  const wanted = new Set([...kept, ...passed]);
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && (wanted.has(name) || /^(LC|XDG)_/.test(name)) ? [[name, value]] : [],
    ),
  );
}
