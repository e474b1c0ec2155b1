import type { PluginHost, SectionContent, SectionContext, SectionSpec } from "@quire/core";
import { fillVariables, type FragmentName } from "./fragment-variables.js";
import { loadFragments, type Fragment } from "./fragments.js";
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
  return [
    {
      ...strict,
      name: "preset-magi-code/system",
      slot: "identity",
      compute: (context) => contentOf("system", context),
    },
    { ...strict, name: "preset-magi-code/tools", slot: "tools", compute: (context) => contentOf("tools", context) },
    {
      ...strict,
      name: "preset-magi-code/codemode",
      slot: "code-mode",
      when: ({ tools }) => options.code_mode && tools.some(({ name }) => name === "code"),
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
        const fragment = (await loadFragments(context)).subagents;
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
      compute: (context) => contentOf("compact", context),
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
  return fragmentContent(name, (await loadFragments(context))[name], runtimeFacts(context));
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
