import path from "node:path";
import type { Config, Place } from "@quire/core";
import { isInside } from "./spots.js";

/** Remembers which files of the project a session has named, the newest last. */
export interface NamedFiles {
  /** Takes what looks like a path out of the user's words. */
  addWords(session: string, words: string, place: Pick<Place, "cwd" | "projectRoot">): void;
  /** Takes the path out of a tool's arguments. */
  addArguments(session: string, args: Config, place: Pick<Place, "cwd" | "projectRoot">): void;
  /** Relative to the project root, with "/". */
  of(session: string): readonly string[];
  forget(session: string): void;
}

export function createNamedFiles(): NamedFiles {
  const sessions = new Map<string, Set<string>>();
  const add = (session: string, texts: readonly string[], place: Pick<Place, "cwd" | "projectRoot">) => {
    const files = sessions.get(session) ?? new Set();
    for (const text of texts.slice(0, maxFiles)) {
      for (const file of filesOf(text, place)) {
        files.delete(file);
        files.add(file);
      }
    }
    for (const oldest of [...files].slice(0, Math.max(0, files.size - maxFiles))) files.delete(oldest);
    sessions.set(session, files);
  };
  return {
    addWords: (session, words, place) => add(session, words.match(pathLike) ?? [], place),
    addArguments(session, args, place) {
      const texts = pathKeys.map((key) => args[key]).filter((value) => typeof value === "string");
      add(session, texts, place);
    },
    of: (session) => [...(sessions.get(session) ?? [])],
    forget: (session) => void sessions.delete(session),
  };
}

/** A word with a slash or with a dot inside: `src/app.ts`, `app.ts`, `@docs/x`. */
const pathLike = /[^\s"'`<>()[\]{},;:|]*[\w~@][./][\w@][^\s"'`<>()[\]{},;:|]*/gu;
const pathKeys = ["path", "file", "file_path"] as const;
const maxFiles = 200;

/** A relative path may be meant from the working directory or from the project root. */
function filesOf(text: string, place: Pick<Place, "cwd" | "projectRoot">): readonly string[] {
  const name = text.replace(/^@/, "").replace(/[.!?]+$/, "");
  const found = [path.resolve(place.cwd, name), path.resolve(place.projectRoot, name)];
  return [...new Set(found)]
    .filter((file) => file !== place.projectRoot && isInside(place.projectRoot, file))
    .map((file) => path.relative(place.projectRoot, file).split(path.sep).join("/"));
}
