import { ConfigError, type Config, type Diagnostic } from "@quire/core";
import { nearest, type HostEdit } from "@quire/core/host";
import type { AgentProfile, ProfileChoice } from "../contract.js";
import { isRecord } from "../record.js";
import { parseProfile } from "./parse-profile.js";
import type { ProfileFile } from "./profile-files.js";

export interface Profiles {
  /** One of each id and kind, sorted by id. */
  readonly profiles: readonly AgentProfile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** @param files From low to high: of two with one id the later counts. */
export function collectProfiles(files: readonly ProfileFile[]): Profiles {
  const diagnostics: Diagnostic[] = [];
  const chosen = new Map<string, AgentProfile>();
  for (const source of files) {
    const profile = parseProfile(source);
    if ("code" in profile) {
      diagnostics.push(profile);
      continue;
    }
    const key = `${profile.kind} ${profile.id}`;
    const hidden = chosen.get(key);
    if (hidden !== undefined && hidden.file !== profile.file) diagnostics.push(isHidden(hidden, profile));
    chosen.set(key, profile);
  }
  return { profiles: [...chosen.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), diagnostics };
}

/**
 * The profile that a name means: by id, else by its own name. A main agent prefers the profiles that are for main
 * agents only; a subagent never has one of those.
 * @param untrusted What the project brings and was not loaded.
 * @throws {ConfigError} `profile-unknown` with the nearest name.
 */
export function findProfile(
  { name, audience }: ProfileChoice,
  profiles: readonly AgentProfile[],
  untrusted: readonly string[],
): AgentProfile {
  const able = profiles.filter(({ kind }) => audience === "main" || kind === "any");
  const ranked = [...able.filter(({ kind }) => kind === "primary"), ...able.filter(({ kind }) => kind === "any")];
  const found = ranked.find(({ id }) => id === name) ?? ranked.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const ids = [...new Set(able.map(({ id }) => id))];
  const like = nearest(name, ids);
  const hidden = untrusted.some((line) => line.includes(" holds profiles: "));
  throw new ConfigError({
    code: "profile-unknown",
    level: "error",
    message: `There is no profile "${name}"${audience === "subagent" ? " for a subagent" : ""}`,
    at: { kind: "flag" },
    fix:
      like !== undefined
        ? `Did you mean "${like}"?`
        : hidden
          ? "This project brings profiles, which need trust: --trust accepts them for one start"
          : ids.length === 0
            ? "Write one to agents/<name>.md in $QUIRE_HOME"
            : `There are: ${ids.join(", ")}`,
  });
}

/** What the profile in force sets of config: it may narrow the tools that are on, and names its model. */
export function profileConfig(profile: AgentProfile, below: Config): Config {
  const tools = isRecord(below["tools"]) ? below["tools"] : {};
  const allowed = Array.isArray(tools["only"]) ? tools["only"] : undefined;
  const only = profile.tools?.filter((name) => allowed === undefined || allowed.includes(name));
  return {
    ...(profile.model === undefined ? {} : { model: profile.model }),
    ...(only === undefined ? {} : { tools: { only } }),
  };
}

/** The profile's text as a section of its own, unless the layout in force shows it by itself. */
export function profileEdit(profile: AgentProfile, { audience }: ProfileChoice, config: Config): readonly HostEdit[] {
  const { instructions: text, file, line } = profile;
  const profiles = config["profiles"];
  if (text === undefined || (isRecord(profiles) && profiles["inject"] === false)) return [];
  return [
    {
      layer: "flags",
      by: { kind: "file", file, line },
      op: "add",
      section: "user/profile",
      slot: "instructions",
      content: { cache: "memoized", audience: [audience], compute: () => text },
    },
  ];
}

function isHidden(profile: AgentProfile, by: AgentProfile): Diagnostic {
  return {
    code: "profile-hidden",
    level: "info",
    message: `The profile ${profile.file} is hidden: ${by.file} has the id "${by.id}" too and ranks higher`,
    at: { kind: "file", file: profile.file },
    fix: "Rename one of the two files",
  };
}
