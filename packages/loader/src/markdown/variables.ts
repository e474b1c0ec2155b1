import type { SectionBody, SectionContext } from "@quire/core";

/** What `{{…}}` may say in a section file. Exact: no spaces, no other case. */
const variables: Readonly<Record<string, (context: SectionContext) => string>> = {
  "environment.cwd": (context) => context.cwd,
  "environment.project_root": (context) => context.projectRoot,
  "environment.platform": (context) => context.platform,
  "environment.shell": (context) => context.shell,
  "environment.today": (context) => context.today,
  "model.provider": (context) => context.model.provider,
  "model.id": (context) => context.model.id,
};
export const variableNames: readonly string[] = Object.keys(variables);

/** A text with variables, taken apart. */
export interface Template {
  /** Literal texts and, between them, names of variables: `parts[1]`, `parts[3]`, … */
  readonly parts: readonly string[];
}

/** A `{{…}}` that is no variable. */
export interface BadToken {
  readonly token: string;
  /** Within the text, from 1. */
  readonly line: number;
}

/** Takes a text apart at its variables. A `{{` that does not begin one is bad, whatever follows. */
export function parseTemplate(text: string): Template | BadToken {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", from)) {
    const close = text.indexOf("}}", open);
    const name = close < 0 ? "" : text.slice(open + 2, close);
    if (!Object.hasOwn(variables, name)) return { token: tokenAt(text, open), line: lineAt(text, open) };
    parts.push(text.slice(from, open), name);
    from = close + 2;
  }
  return { parts: [...parts, text.slice(from)] };
}

/** A section whose text follows its variables: kept until one of them has another value. */
export function templateBody(template: Template): SectionBody {
  const used = template.parts.filter((_, index) => index % 2 === 1);
  return {
    cache: "memoized",
    key: (context) => JSON.stringify(used.map((name) => variables[name]?.(context))),
    compute: (context) =>
      template.parts.map((part, index) => (index % 2 === 0 ? part : (variables[part]?.(context) ?? ""))).join(""),
  };
}

function tokenAt(text: string, open: number): string {
  const line = text.slice(open).split(/\r?\n/, 1)[0] ?? "";
  const close = line.indexOf("}}");
  return close < 0 ? line.slice(0, 40) : line.slice(0, close + 2);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
