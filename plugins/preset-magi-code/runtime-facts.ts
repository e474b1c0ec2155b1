import type { SectionContext } from "@quire/core";

/** What fragments may say about the machine: short, and nothing that could be a secret. */
export interface RuntimeFacts extends Readonly<Record<string, string>> {
  readonly operating_system: string;
  readonly terminal_environment: string;
}

export function runtimeFacts(place: Pick<SectionContext, "platform" | "env">): RuntimeFacts {
  return { operating_system: friendlySystem(place.platform), terminal_environment: terminalOf(place) };
}

const systems: Readonly<Record<string, string>> = {
  linux: "Linux",
  darwin: "macOS",
  macos: "macOS",
  win32: "Windows",
  windows: "Windows",
  freebsd: "FreeBSD",
  openbsd: "OpenBSD",
  android: "Android",
};

/** @param platform `os (arch)`. */
function friendlySystem(platform: string): string {
  const name = platform.split(" ")[0] ?? platform;
  return systems[name.toLowerCase()] ?? name;
}

/** The only variables that are looked at. */
const terminalVariables = ["TERM_PROGRAM", "TERM", "COLORTERM"] as const;

function terminalOf(place: Pick<SectionContext, "env">): string {
  const known = terminalVariables
    .map((name) => [name, sanitised(place.env(name) ?? "")] as const)
    .filter(([, value]) => value !== "");
  return known.length === 0 ? "unknown" : known.map(([name, value]) => `${name}=${value}`).join(", ");
}

/** Letters, digits and what names of terminals hold besides; at most 40 characters. */
function sanitised(value: string): string {
  return value.replaceAll(/[^A-Za-z0-9._+-]/g, "").slice(0, 40);
}
