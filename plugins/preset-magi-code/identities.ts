import path from "node:path";
import { QuireError } from "@quire/core";
import type { Diagnostic, PluginHost, SectionContext } from "@quire/core";
import { magiHome } from "./magi-home.js";

/** What a subagent's profile says of itself. */
export interface Identity {
  /** The file's stem: what selects it. */
  readonly id: string;
  /** `name` of its front matter, else the id. */
  readonly persona: string;
  readonly description: string;
}

export interface Identities {
  /** Sorted by id. */
  readonly identities: readonly Identity[];
  readonly problems: readonly Omit<Diagnostic, "plugin">[];
}

/** Reads the profiles of `subagents` in the user's folder. */
export async function loadIdentities(
  place: Pick<SectionContext, "home" | "env" | "cwd" | "read" | "list">,
  frontMatter: PluginHost["frontMatter"],
): Promise<Identities> {
  const folder = path.join(magiHome(place), "subagents");
  const names = (await place.list(folder).catch(() => null)) ?? [];
  const loaded = await Promise.all(
    names
      .filter((name) => name.endsWith(".md"))
      .map(async (name) => {
        const file = path.join(folder, name);
        try {
          const text = await place.read(file, { maxBytes: maxProfileBytes, track: false });
          return text === null ? undefined : identityOf(path.basename(name, ".md"), frontMatter(text).data);
        } catch (error) {
          return unreadable(file, error);
        }
      }),
  );
  return {
    identities: loaded.filter((one): one is Identity => one !== undefined && "id" in one),
    problems: loaded.filter((one): one is Omit<Diagnostic, "plugin"> => one !== undefined && "code" in one),
  };
}

/** `- id: description`, with the persona where it is another name. */
export function identityLines(identities: readonly Identity[]): string {
  return identities
    .map(({ id, persona, description }) => {
      const name = persona === id ? id : `${id} (${persona})`;
      return description === "" ? `- ${name}` : `- ${name}: ${description}`;
    })
    .join("\n");
}

function identityOf(id: string, data: Readonly<Record<string, unknown>>): Identity {
  const word = (key: string) => (typeof data[key] === "string" ? data[key].trim().replaceAll(/\s+/g, " ") : "");
  return { id, persona: word("name") === "" ? id : word("name"), description: word("description") };
}

function unreadable(file: string, error: unknown): Omit<Diagnostic, "plugin"> {
  const why = QuireError.is(error) ? error.diagnostic.message : error instanceof Error ? error.message : String(error);
  return {
    code: "profile-unreadable",
    level: "warn",
    message: `The profile ${file} is not listed: ${why}`,
    at: { kind: "file", file },
    fix: "Make it a UTF-8 Markdown file with front matter that can be read, or move it away",
  };
}

const maxProfileBytes = 65_536;
