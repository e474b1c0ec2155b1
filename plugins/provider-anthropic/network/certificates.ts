import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import { ConfigError } from "@quire/core";
import type { Place } from "@quire/core";

/** @throws {ConfigError} `ca-file-invalid`: there is no such file, or it holds no certificate. */
export function readCertificates(file: string): string {
  let text: string | undefined;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw invalid(file, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw invalid(file, "holds no certificate in PEM form");
}

/** What Node trusts by itself: a list of one's own replaces it, so it has to be given again. */
export function trustedCertificates(env: Place["env"]): readonly string[] {
  // Newer than the oldest Node that is supported.
  const { getCACertificates } = tls as { readonly getCACertificates?: (type: "default") => string[] };
  if (getCACertificates !== undefined) return getCACertificates("default");
  const extra = env("NODE_EXTRA_CA_CERTS")?.trim() ?? "";
  return [...tls.rootCertificates, ...(extra === "" ? [] : [readCertificates(extra)])];
}

function invalid(file: string, why: string): ConfigError {
  return new ConfigError({
    code: "ca-file-invalid",
    level: "error",
    message: `The certificates ${file} ${why}`,
    fix: "Check the path in network.ca_file, or in NODE_EXTRA_CA_CERTS",
  });
}
