import { join } from "node:path";
import type { Attrs } from "@quire/core";

/** All that a section may differ by. */
export interface Circumstances {
  /** Added to the clock, milliseconds. */
  readonly offsetMs: number;
  /** In the order that whoever lists it sees. */
  readonly environment: Attrs;
  /** BCP 47, of what formats without naming one; undefined: as the system has it. */
  readonly locale?: string;
  /** Another user in another project; undefined: as things are. */
  readonly place?: { readonly cwd: string; readonly home: string; readonly quireHome: string };
  /** Another model than the session's, and half of the tools. */
  readonly model: "own" | "other";
  readonly tools: "all" | "half";
}

/** One thing that is changed, and how a finding speaks of it. */
export interface Variant {
  readonly name: "again" | "clock" | "locale" | "environment order" | "model" | "tools" | "place";
  readonly words: string;
  readonly circumstances: Circumstances;
  /** The section's memo cannot outlive this change in one session: global sections alone are held to it. */
  readonly globalOnly: boolean;
  /** A section that is equal for every user and project may not differ by it. */
  readonly boundsGlobal: boolean;
}

/**
 * Everything that `agent sections check` changes, one thing at a time.
 * @param folder An empty folder that stands for another machine's disk.
 */
export function variantsOf(environment: Attrs, folder: string): readonly Variant[] {
  const base: Circumstances = { offsetMs: 0, environment, model: "own", tools: "all" };
  const isGerman = (environment["LC_ALL"] ?? environment["LANG"] ?? "").startsWith("de");
  const [tag, locale] = isGerman ? (["fr_FR.UTF-8", "fr-FR"] as const) : (["de_DE.UTF-8", "de-DE"] as const);
  const place = { cwd: join(folder, "project"), home: join(folder, "home"), quireHome: join(folder, "home", ".quire") };
  const user = "somebody-else";
  const variant = (
    name: Variant["name"],
    words: string,
    change: Partial<Circumstances>,
    { globalOnly = false, boundsGlobal = true } = {},
  ): Variant => ({ name, words, circumstances: { ...base, ...change }, globalOnly, boundsGlobal });
  return [
    variant("again", "a second time", {}),
    variant("clock", "at another time", { offsetMs: otherTimeMs }),
    variant("locale", `in another locale (${tag})`, {
      locale,
      environment: { ...environment, LANG: tag, LC_ALL: tag, LC_TIME: tag, LANGUAGE: tag },
    }),
    variant("environment order", "with the environment in another order", {
      environment: Object.fromEntries(Object.entries(environment).reverse()),
    }),
    variant("model", "for another model", { model: "other" }, { boundsGlobal: false }),
    variant("tools", "with other tools", { tools: "half" }, { boundsGlobal: false }),
    variant(
      "place",
      "for another user in another folder",
      {
        place,
        environment: {
          ...environment,
          HOME: place.home,
          PWD: place.cwd,
          USER: user,
          LOGNAME: user,
          USERNAME: user,
          HOSTNAME: "another-machine",
          QUIRE_HOME: place.quireHome,
        },
      },
      { globalOnly: true },
    ),
  ];
}

/** More than a year, and another hour of the day. */
const otherTimeMs = (400 * 24 + 7) * 3_600_000 + 13 * 60_000;
