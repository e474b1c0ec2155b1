import type { Layout, LayoutView, Piece, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";

/** Tags around the sections that have one. */
const tags: ReadonlyMap<string, string> = new Map([
  ["preset-magi-code/system", "SYSTEM"],
  ["preset-magi-code/tools", "Tools"],
  ["preset-magi-code/subagents", "Subagent-Identities"],
  ["preset-magi-code/skills", "Available-Skills"],
  ["skills/catalog", "Available-Skills"],
  ["agents-md/files", "Additional-Context-Files"],
]);

/** The pinned order: system, tools, code mode, subagents, skills, context files; a role stands behind all. */
export const magiCodeLayout: Layout = {
  name: "magi-code",
  slots: [
    { slot: "identity" },
    { slot: "rules" },
    { slot: "tools" },
    { slot: "code-mode" },
    { slot: "agents" },
    { slot: "skills" },
    { slot: "mcp" },
    { slot: "environment" },
    { slot: "memory" },
    { slot: "instructions" },
    { slot: "session" },
    { slot: "end" },
    { slot: "project" },
    { slot: "role" },
  ],
  escape: "raw",
  render(section, p, view) {
    const body = trimmed(bodyOf(section, p, view));
    if (body.length === 0) return [];
    if (section.name === "preset-magi-code/role") return role(section, body, p);
    const tag = tags.get(section.name);
    return tag === undefined ? body : p.block(tag, {}, body);
  },
  finish: (body, p) => (body.length === 0 ? [] : p`${trimmed(body)}\n`),
};

function bodyOf(section: ResolvedSection, p: PieceBuilder, view: LayoutView): Pieces {
  const { content, name } = section;
  if (name === "preset-magi-code/skills") {
    // The rule on skills is of no use without one.
    return skillsOf(view).length === 0 ? [] : withSkills(p.body(section), p, view);
  }
  if (name === "skills/catalog" && content.kind === "items") {
    return view.has("preset-magi-code/skills") ? [] : p.around(section, skillList(p, view));
  }
  if (name === "agents-md/files" && content.kind === "items" && content.items.length > 0) {
    return p.around(section, contextFiles(section, content.items, content.intro ?? "", p));
  }
  return listsSkills.has(name) ? withSkills(p.body(section), p, view) : p.body(section);
}

/** The path names the file in the first line of its block; the text is the user's own and stays as it is. */
function contextFiles(section: ResolvedSection, items: readonly SectionItem[], intro: string, p: PieceBuilder): Pieces {
  const lead: Pieces = intro === "" ? [] : [{ text: intro, from: section.origin }];
  const blocks = items.map(
    (item) => p`<Context File=${oneLine(item.attrs?.["path"] ?? item.id)}>\n${p.item(item, section)}\n</Context>`,
  );
  return joined(
    [lead, ...blocks].filter((pieces) => pieces.length > 0),
    "\n\n",
    p,
  );
}

function role(section: ResolvedSection, body: Pieces, p: PieceBuilder): Pieces {
  const { content } = section;
  const persona = content.kind === "items" ? (content.items[0]?.attrs?.["persona"] ?? "") : "";
  return p`<Your-Role Persona=${oneLine(persona)}>\n${body}\n</Your-Role>`;
}

/** Beside the fragment on skills itself. */
const listsSkills: ReadonlySet<string> = new Set(["preset-magi-code/tools", "preset-magi-code/codemode"]);
const skillsToken = "{{SKILLS_LIST}}";

/** Puts the list of skills where a fragment wants it. */
function withSkills(pieces: Pieces, p: PieceBuilder, view: LayoutView): Pieces {
  return pieces.flatMap((piece) => {
    if (!piece.text.includes(skillsToken)) return [piece];
    return piece.text.split(skillsToken).flatMap((text, index) => {
      const part: Pieces = text === "" ? [] : [{ ...piece, text }];
      return index === 0 ? part : [...skillList(p, view), ...part];
    });
  });
}

function skillsOf(view: LayoutView): readonly SectionItem[] {
  const content = view.sections.find(({ name }) => name === "skills/catalog")?.content;
  return content?.kind === "items" ? content.items : [];
}

/** `- name: description`, or `- name` alone. */
function skillList(p: PieceBuilder, view: LayoutView): Pieces {
  const lines = skillsOf(view).map((item): Pieces => {
    const from = item.origin ?? { kind: "plugin" };
    const name: Piece = { text: item.attrs?.["name"] ?? item.id, from };
    const text = item.text ?? "";
    return text === "" ? p`- ${name}` : p`- ${name}: ${{ text, from }}`;
  });
  return joined(lines, "\n", p);
}

/** Without the newlines at both ends, so that one blank line stands between two sections whatever they hold. */
function trimmed(pieces: Pieces): Pieces {
  const rest = [...pieces];
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    const text = first.text.replace(/^[\r\n]+/, "");
    if (text === "") {
      rest.shift();
      continue;
    }
    rest[0] = { ...first, text };
    break;
  }
  for (let last = rest.at(-1); last !== undefined; last = rest.at(-1)) {
    const text = last.text.replace(/[\r\n]+$/, "");
    rest.pop();
    if (text === "") continue;
    rest.push({ ...last, text });
    break;
  }
  return rest;
}

function oneLine(text: string): string {
  return text.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups.flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
