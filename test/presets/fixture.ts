/** Where the fixture's user works: two folders below the root of a repository. */
export const fixturePlace = {
  cwd: "/repo/packages/app",
  projectRoot: "/repo",
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  platform: "linux (x64)",
  shell: "bash",
  trusted: true,
} as const;

export type FileMap = Readonly<Record<string, string>>;

/** A repository with one instruction file and one skill, as most are. */
export const usualFiles: FileMap = {
  "/repo/AGENTS.md": "# Shop\n\nRun `npm test` before you finish.\nPrices are integers, in cents.\n",
  "/repo/README.md": "# Shop\n\nSells things.\n",
  "/repo/.agents/skills/release/SKILL.md": skill(
    "release",
    "Cuts a release: version, changelog, tag. Use it when the user asks to publish.",
    "1. Run `scripts/check.sh`.\n2. Tag.\n",
  ),
  "/repo/.agents/skills/release/scripts/check.sh": "npm test\n",
};

/** Everything any of the systems looks for, in the folders of that system. */
export const fullFiles: FileMap = {
  ...usualFiles,

  "/etc/claude-code/CLAUDE.md": "Company rule: no secrets in logs.\n",
  "/home/ada/.claude/CLAUDE.md": "Ada likes short answers. @~/notes/style.md\n",
  "/home/ada/.magi-code/AGENTS.md": "Ada speaks French & German; she reads <b>bold</b> as it stands.\n",
  "/home/ada/.pi/agent/AGENTS.md": "Ada's own rules for every project.\n",
  "/home/ada/.quire/AGENTS.md": "Ada's own rules, under Quire.\n",
  "/home/ada/notes/style.md": "Two spaces, no tabs.\n",
  "/home/ada/notes/team.md": "The team meets on Mondays.\n",

  "/repo/.claude/CLAUDE.md": "The shop's second file.\n",
  "/repo/.claude/rules/api.md": '---\npaths:\n  - "packages/api/**"\n---\nEvery route has a schema.\n',
  "/repo/.claude/rules/app.md": '---\npaths: "packages/app/**/*.tsx"\n---\nComponents are functions.\n',
  "/repo/.claude/rules/general.md": "Rules without paths hold everywhere.\n",
  "/repo/CLAUDE.md": "Read @docs/money.md and `@docs/secret.md`, ask ada@example.org, use @shop/cart.\n",
  "/repo/CLAUDE.local.md": "Ada's machine: the database is on port 5433.\n",
  "/repo/docs/money.md": "Money is an integer.\n",
  "/repo/docs/secret.md": "Named in a code span only.\n",
  "/repo/packages/AGENTS.md": "Hidden by the override beside it where an override counts.\n",
  "/repo/packages/AGENTS.override.md": "Packages talk through events.\n\n\n",
  "/repo/packages/app/AGENTS.md": "The app is a <main> & nothing else.\n",

  "/home/ada/.agents/skills/notes/SKILL.md": skill("notes", "Finds Ada's notes & files them under <topic>."),
  "/home/ada/.claude/skills/review/SKILL.md": skill("review", "Reviews a change as a colleague would."),
  "/home/ada/.iota/skills/translate/SKILL.md": skill("translate", "Translates interface texts."),
  "/home/ada/.magi-code/skills/writing/letters/SKILL.md": skill("letters", "Writes letters."),
  "/home/ada/.pi/agent/skills/sketch/SKILL.md": skill("sketch", "Sketches a screen as text."),
  "/home/ada/.quire/skills/focus/SKILL.md": skill("focus", "Keeps to one task."),
  "/repo/.claude/skills/deploy/SKILL.md": skill(
    "deploy",
    "Deploys the shop.",
    "Deploy.\n",
    "disable-model-invocation: true\n",
  ),
  "/repo/.pi/skills/seed/SKILL.md": skill("seed", "Fills the database with samples."),
  "/repo/.quire/skills/migrate/SKILL.md": skill("migrate", "Writes a database migration."),

  "/home/ada/.pi/agent/prompts/standup.md": "---\ndescription: What was done yesterday\n---\nSum up $ARGUMENTS.\n",
  "/repo/.pi/prompts/review.md": "Review $1 with the eye of ${2:-a colleague}.\n",
  "/repo/.claude/commands/ship.md": "Ship it.\n",
  "/repo/.quire/commands/tidy.md": "Tidy $1.\n",
  "/repo/.pi/APPEND_SYSTEM.md": "Mention the ticket number.\n",
  "/repo/MEMORY.md": "- The payment sandbox resets at night.\n",
};

/** No file at all. */
export const bareFiles: FileMap = {};

function skill(name: string, description: string, body = `Do ${name} well.\n`, more = ""): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n${body}`;
}
