import path from "node:path";
import { leafText } from "./leaf-text.js";

/**
 * The paths that a Markdown text includes by `@path`, as they are written, each once: only in running text, only with a
 * name that text files have. An address like `ada@example.org` is none.
 */
export function includeTargets(markdown: string): readonly string[] {
  const found = [...leafText(markdown).matchAll(mention)].map(([, target = ""]) =>
    target.replaceAll("\\ ", " ").replace(/#.*$/, "").replace(trailing, ""),
  );
  return [...new Set(found)].filter(isTextName);
}

/** Where a written target lies. `folder` is the including file's. */
export function resolveTarget(target: string, folder: string, home: string): string {
  return target.startsWith("~/") ? path.join(home, target.slice(2)) : path.resolve(folder, target);
}

const mention = /(?<![\p{L}\p{N}.+\-@/\\]_*)@((?:\\ |[^\s"'`<>|*?\\])+)/gu;
const trailing = /[.,;:!)\]}»”’_…]+$/u;

/** Endings of text files. Files without one count by the names below; a name that begins with a dot never does. */
const endings: ReadonlySet<string> = new Set(
  (
    "md mdc mdx markdown txt text rst adoc org tex json jsonc json5 yaml yml toml ini cfg conf xml csv tsv html htm css " +
    "scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi rb php java kt kts scala groovy gradle go rs " +
    "c h cc cpp cxx hpp hh m mm cs fs swift dart lua pl pm r jl ex exs erl hrl hs clj cljs elm ml mli zig nim sh bash " +
    "zsh fish ps1 bat sql graphql gql proto tf hcl nix cmake mk diff patch log"
  ).split(" "),
);

const names: ReadonlySet<string> = new Set(
  (
    "readme license licence changelog contributing notice authors todo install codeowners makefile dockerfile justfile " +
    "rakefile gemfile procfile jenkinsfile vagrantfile"
  ).split(" "),
);

function isTextName(target: string): boolean {
  const name = path.posix.basename(target).toLowerCase();
  if (name.startsWith(".") || target.endsWith("/")) return false;
  const ending = path.posix.extname(name);
  return ending === "" ? names.has(name) : endings.has(ending.slice(1));
}
