import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Place } from "@quire/core";
import pointers from "../../prompts/preset-pi/pointers.md";
import topicLines from "../../prompts/preset-pi/topics.md";

/** Where Quire's own documentation stands. Paths are absolute. */
export interface Documentation {
  readonly readme: string;
  readonly docs: string;
  readonly examples: string;
  /** What is in `docs`, and which questions it answers. */
  readonly topics: readonly { readonly file: string; readonly about: string }[];
}

/**
 * The documentation in a folder, or in the nearest one above this program that has a README, docs and plugins.
 * @returns Undefined when there is none.
 */
export async function findDocumentation(
  place: Pick<Place, "list">,
  folder?: string,
): Promise<Documentation | undefined> {
  let root = folder ?? path.dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const names = (await place.list(root).catch(() => null)) ?? [];
    if (["README.md", "docs/", "plugins/"].every((name) => names.includes(name))) break;
    const parent = path.dirname(root);
    if (folder !== undefined || parent === root) return undefined;
    root = parent;
  }
  const docs = path.join(root, "docs");
  const there = (await place.list(docs)) ?? [];
  return {
    readme: path.join(root, "README.md"),
    docs,
    examples: path.join(root, "plugins"),
    topics: allTopics().filter(({ file }) => there.includes(file)),
  };
}

/** The block that says where the documentation is and when to read it. */
export function pointerText({ readme, docs, examples, topics }: Documentation): string {
  const text = pointers
    .trim()
    .replace("{readme}", () => readme)
    .replace("{docs}", () => docs)
    .replace("{examples}", () => examples);
  return [text, ...topics.map(({ file, about }) => `- For ${about}: ${path.join(docs, file)}`)].join("\n");
}

function allTopics(): Documentation["topics"] {
  return topicLines
    .trim()
    .split("\n")
    .map((line) => {
      const [file = "", about = ""] = line.split(": ");
      return { file, about };
    });
}
