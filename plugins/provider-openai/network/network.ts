import { homedir } from "node:os";
import type { Place } from "@quire/core";
import { readCertificates, trustedCertificates } from "./certificates.js";
import type { NetworkOptions } from "./options.js";

/** How requests reach an endpoint. */
export interface Network {
  /** Milliseconds until an answer begins: a long prompt takes a server its time. */
  readonly firstByteMs: number;
  /** Milliseconds without a byte after which an answer counts as dead. */
  readonly silenceMs: number;
  /** Whether a proxy is set, be it not for every host. */
  readonly hasProxy: boolean;
  /** Node's own `fetch`; undici's, loaded now, where a proxy, certificates or a longer limit ask for it. */
  fetch(): Promise<typeof fetch>;
}

/** Node's own `fetch` gives up by itself after this time, before an answer and inside it. */
const builtInLimitMs = 300_000;

/**
 * @param env Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case of letters.
 * @param silenceMs What holds without the option.
 * @throws {ConfigError} `ca-file-invalid`.
 */
export function createNetwork(options: NetworkOptions, env: Place["env"], silenceMs = builtInLimitMs): Network {
  const { proxy, no_proxy, ca_file, first_byte_ms = builtInLimitMs, silence_ms = silenceMs } = options;
  const set = (name: string): string => env(name.toLowerCase())?.trim() || env(name)?.trim() || "";
  const httpProxy = proxy ?? set("HTTP_PROXY");
  const httpsProxy = proxy ?? set("HTTPS_PROXY");
  const noProxy = no_proxy?.join(",") ?? set("NO_PROXY");
  const own = ca_file === undefined ? [] : [readCertificates(ca_file.replace(/^~(?=\/)/, homedir()))];
  const hasProxy = httpProxy !== "" || httpsProxy !== "";
  const isPlain = !hasProxy && own.length === 0 && Math.max(first_byte_ms, silence_ms) <= builtInLimitMs;
  const reach = async (): Promise<typeof fetch> => {
    const { EnvHttpProxyAgent, fetch: send } = await import("undici");
    const tls = own.length === 0 ? {} : { ca: [...trustedCertificates(env), ...own] };
    const dispatcher = new EnvHttpProxyAgent({
      httpProxy,
      httpsProxy,
      noProxy,
      connect: tls,
      requestTls: tls,
      proxyTls: tls,
      // Of plain addresses: many proxies make no tunnel to them.
      proxyTunnel: false,
      // The limits are kept by the provider, which says whose silence it was.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // Both are the same standard; undici's types are a little narrower.
    const standard = (input: string, init: object) => send(input, { ...init, dispatcher });
    return standard as unknown as typeof fetch;
  };
  let reaching: Promise<typeof fetch> | undefined;
  return {
    firstByteMs: first_byte_ms,
    silenceMs: silence_ms,
    hasProxy,
    fetch: async () => (isPlain ? fetch : await (reaching ??= reach())),
  };
}
