import type { PluginHost, SectionContent, SectionContext, SectionSpec } from "@quire/core";
import { fillVariables, fragmentNames, type FragmentName } from "./fragment-variables.js";
import { loadFragment, type Fragment } from "./fragments.js";
import { identityLines, loadIdentities } from "./identities.js";
import { runtimeFacts } from "./runtime-facts.js";

/** A fragment is needed, or wrong, at once: without it there is no prompt. */
const strict = { cache: "memoized", required: true } as const;

/** The sections that carry the system's own text, in the order of the prompt. */
export function magiCodeSections(
  host: Pick<PluginHost, "frontMatter" | "report">,
  options: { readonly code_mode: boolean },
): readonly SectionSpec[] {
  const reported = new Set<string>();
  const isCodeMode = ({ tools }: SectionContext) => options.code_mode && tools.some(({ name }) => name === "code");
  return [
    {
      ...strict,
      name: "preset-magi-code/system",
      slot: "identity",
      async compute(context) {
        const content = await contentOf("system", context);
        await checkUnshown(isCodeMode(context) ? ["compact"] : ["codemode", "compact"], context);
        return content;
      },
    },
    { ...strict, name: "preset-magi-code/tools", slot: "tools", compute: (context) => contentOf("tools", context) },
    {
      ...strict,
      name: "preset-magi-code/codemode",
      slot: "code-mode",
      when: isCodeMode,
      compute: (context) => contentOf("codemode", context),
    },
    {
      ...strict,
      name: "preset-magi-code/subagents",
      slot: "agents",
      async compute(context) {
        const { identities, problems } = await loadIdentities(context, (text) => host.frontMatter(text));
        for (const problem of problems.filter(({ message }) => !reported.has(message))) {
          reported.add(problem.message);
          host.report(problem);
        }
        const fragment = await loadFragment("subagents", context);
        if (identities.length === 0) return null;
        return fragmentContent("subagents", fragment, { LIST_SUBAGENTS: identityLines(identities) });
      },
    },
    { ...strict, name: "preset-magi-code/skills", slot: "skills", compute: (context) => contentOf("skills", context) },
    {
      ...strict,
      name: "preset-magi-code/compact",
      slot: "identity",
      audience: ["compaction"],
      async compute(context) {
        const content = await contentOf("compact", context);
        await checkUnshown(fragmentNames, context);
        return content;
      },
    },
    {
      name: "preset-magi-code/role",
      slot: "role",
      cache: "memoized",
      key: ({ profile }) => JSON.stringify(profile ?? null),
      compute({ profile }) {
        const text = profile?.instructions?.trim() ?? "";
        if (profile === undefined || text === "") return null;
        return { kind: "items", items: [{ id: profile.name, text, attrs: { persona: profile.name } }] };
      },
    },
  ];
}

/** A fragment with its facts in place; what the layout fills in still stands as a variable. */
async function contentOf(name: FragmentName, context: SectionContext): Promise<SectionContent> {
  return fragmentContent(name, await loadFragment(name, context), runtimeFacts(context));
}

/** Fragments that no section of this prompt shows are checked too, so that a mistake is told at once. */
async function checkUnshown(names: readonly FragmentName[], context: SectionContext): Promise<void> {
  await Promise.all(names.map((name) => loadFragment(name, context)));
}

/** The user's own fragment is text of its file. */
function fragmentContent(
  name: FragmentName,
  fragment: Fragment,
  values: Readonly<Record<string, string>>,
): SectionContent {
  const text = fillVariables(fragment.text, values);
  if (fragment.file === undefined || text === "") return { kind: "text", text };
  return { kind: "items", items: [{ id: `${name}.md`, text, origin: { kind: "file", file: fragment.file } }] };
}
