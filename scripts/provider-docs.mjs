/**
 * Writes into docs/providers.md what each wire mode makes of one conversation (provider-docs/conversation.json), as
 * `agent prompt --wire MODE --conversation FILE` of the built command prints it. `--check` only compares.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { format } from "prettier";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/providers.md");
const folder = join(root, "scripts/provider-docs");
const run = promisify(execFile);

const modes = ["anthropic-messages", "openai-chat", "openai-responses", "openai-codex", "claude-cli"];
const begin = "<!-- One conversation: begin (node scripts/provider-docs.mjs) -->";
const end = "<!-- One conversation: end -->";

/**
 * The page as it should be.
 * @returns {Promise<string>}
 */
export async function providersPage() {
  const text = await readFile(page, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/providers.md lacks the marks ${begin} and ${end}`);
  const bodies = [];
  for (const mode of modes) bodies.push(`### ${mode}\n\n\`\`\`json\n${await compact(await bodyOf(mode))}\`\`\`\n`);
  const conversation = await compact(JSON.parse(await readFile(join(folder, "conversation.json"), "utf8")));
  const parts = [begin, `\`\`\`json\n${conversation}\`\`\``, bodies.join("\n").trimEnd(), end];
  return before + parts.join("\n\n") + after;
}

async function bodyOf(mode) {
  const home = await mkdtemp(join(tmpdir(), "provider-docs-"));
  const tool = ["--plugin", join(folder, "read-tool.mjs")];
  const flags = ["-C", home, "-c", join(folder, "config.yaml"), "--system-prompt", "You are brief.", ...tool];
  const asked = ["prompt", "--wire", mode, "--conversation", join(folder, "conversation.json")];
  const command = join(root, "packages/cli/bin/agent.cjs");
  const env = { PATH: process.env.PATH, HOME: home, QUIRE_HOME: join(home, ".quire") };
  try {
    const body = JSON.parse((await run(process.execPath, [command, ...asked, ...flags], { env })).stdout);
    // It names the session, and each has another.
    return "prompt_cache_key" in body ? { ...body, prompt_cache_key: "(of the session)" } : body;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** JSON whose short parts stand on one line. */
function compact(value) {
  return format(JSON.stringify(value), { parser: "json", printWidth: 120 });
}

async function main() {
  const text = await providersPage();
  if (!process.argv.includes("--check")) await writeFile(page, text);
  else if ((await readFile(page, "utf8")) !== text) {
    console.error("docs/providers.md is not up to date. Run: npm run build && node scripts/provider-docs.mjs");
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
