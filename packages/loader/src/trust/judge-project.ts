import { relative } from "node:path";
import { sha256 } from "@quire/core/host";
import type { LoadOptions } from "../contract.js";
import { preparePlugin, type ImportSettings, type Prepared } from "../plugins/import-plugin.js";
import type { PluginFailure, PluginSource } from "../plugins/plugin-source.js";
import { searchPlugins, type PluginSearch } from "../plugins/search-plugins.js";
import type { TrustPart } from "./trust-part.js";
import { storeTrust, trustedHash } from "./trust-store.js";

export interface Judgement {
  readonly trusted: boolean;
  /** The project's code as it was judged, by file; empty when nobody had to look. */
  readonly prepared: ReadonlyMap<string, Prepared>;
}

/**
 * Decides whether what a project brings may be used. `--trust` accepts it for this start; a stored hash as long as
 * nothing changed; a "yes" on the terminal from now on.
 * @param search Where the project's plugins would be found.
 */
export async function judgeProject(
  parts: readonly TrustPart[],
  place: { readonly projectRoot: string; readonly quireHome: string },
  options: Pick<LoadOptions, "flags" | "confirmTrust">,
  search: PluginSearch,
  settings: ImportSettings,
): Promise<Judgement> {
  const prepared = new Map<string, Prepared>();
  if (options.flags.trust) return { trusted: true, prepared };
  const needsTrust = parts.flatMap((part) => part.needsTrust);
  if (needsTrust.length === 0) return { trusted: false, prepared };
  const stored = await trustedHash(place.quireHome, place.projectRoot);
  if (stored === undefined && options.confirmTrust === undefined) return { trusted: false, prepared };

  // What the user types beside it must not change what is judged.
  const { sources } = await searchPlugins({ ...search, typed: [] });
  const own = sources.filter(({ tier }) => tier === "project");
  const code = await Promise.all(
    own.map(async (source) => {
      const bundle = (await preparePlugin(source, settings)) ?? unverified(source);
      prepared.set(source.file, bundle);
      return [
        relative(place.projectRoot, source.file),
        "sourceHash" in bundle ? bundle.sourceHash : bundle.code,
      ] as const;
    }),
  );
  const hashes = (await Promise.all(parts.map((part) => part.hashes()))).flat();
  const present = sha256(JSON.stringify([hashes, code]));
  if (stored === present) return { trusted: true, prepared };
  if ((await options.confirmTrust?.(needsTrust)) !== true) return { trusted: false, prepared };
  await storeTrust(place.quireHome, place.projectRoot, present);
  return { trusted: true, prepared };
}

/** Without a bundle there is no hash of all the code that would run: lasting trust has nothing to hold on to. */
function unverified(source: PluginSource): PluginFailure {
  return {
    label: source.label,
    file: source.file,
    ...(source.at === undefined ? {} : { at: source.at }),
    code: "plugin-unverified",
    message: `The project's plugin ${source.label} is not loaded: esbuild does not run here, so its code cannot be compared with what was trusted`,
    fix: "Mend the installation of esbuild, or accept the project for one start with --trust",
  };
}
