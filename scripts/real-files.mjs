/**
 * Loads skill folders and instruction files that others published, from npm packages of fixed versions, with the built
 * command: `npm run test:real-files`. Everything lands in a temporary folder; nothing of it is kept or shipped.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const agent = fileURLToPath(new URL("../packages/cli/bin/agent.cjs", import.meta.url));

const skillPackages = [
  "@elizaos/skills@2.0.0-beta.1",
  "@ant-design/x-skill@2.9.0",
  "@plaited/development-skills@0.8.1",
  "@n8n-as-code/skills@2.3.0-next.150",
  "@wednesday-solutions-eng/ai-agent-skills@1.1.0",
];
const instructionPackages = [
  "@nextsparkjs/ai-workflow@0.1.0-beta.127",
  "task-master-ai@0.43.1",
  "clawdbot@2026.1.24",
  "ruflo@3.42.5",
  "vite-plus@0.3.3",
];
const instructionNames = new Set(["AGENTS.md", "CLAUDE.md", "GEMINI.md"]);

const root = mkdtempSync(join(tmpdir(), "quire-real-files-"));
const home = join(root, "home");
let failures = 0;

/** Runs the command with a home of its own and reads its JSON. */
function run(cwd, ...args) {
  const env = { PATH: process.env["PATH"], HOME: home, QUIRE_HOME: join(home, ".quire") };
  return JSON.parse(
    execFileSync(process.execPath, [agent, ...args], {
      cwd,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
}

function unpack(name) {
  const folder = mkdtempSync(join(root, "package-"));
  const archive = execFileSync("npm", ["pack", "--silent", name], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n")
    .at(-1);
  execFileSync("tar", ["xzf", archive], { cwd: folder });
  return folder;
}

function find(folder, isWanted) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => isWanted(basename(file)) && statSync(file).isFile())
    .sort();
}

function check(isTrue, text) {
  if (!isTrue) failures += 1;
  console.log(`${isTrue ? "ok  " : "FAIL"} ${text}`);
}

function checkSkills() {
  let count = 0;
  for (const name of skillPackages) {
    const files = find(unpack(name), (file) => file === "SKILL.md");
    for (const file of files) {
      count += 1;
      cpSync(dirname(file), join(home, ".quire/skills", `group-${count}`, basename(dirname(file))), {
        recursive: true,
      });
    }
    console.log(`     ${name}: ${files.length} skill folders`);
  }
  const project = join(root, "project");
  mkdirSync(project, { recursive: true });
  const { skills, diagnostics } = run(project, "skills", "list", "--json");
  const duplicates = diagnostics.filter(({ code }) => code === "skill-duplicate").length;
  check(
    count >= 10 && skills.length + duplicates >= count,
    `${skills.length} of ${count} skill folders load, ${duplicates} share a name`,
  );
  for (const { code, message } of diagnostics) if (code !== "skill-duplicate") console.log(`     [${code}] ${message}`);
}

function checkInstructions() {
  let count = 0;
  for (const name of instructionPackages) {
    for (const file of find(unpack(name), (found) => instructionNames.has(found))) {
      const text = readFileSync(file, "utf8");
      const project = mkdtempSync(join(root, "project-"));
      mkdirSync(join(project, ".git"));
      writeFileSync(join(project, "AGENTS.md"), text);
      writeFileSync(join(project, "only.yaml"), "instruction_files: { budget: 1000000 }\n");
      const document = run(project, "-c", "only.yaml", "prompt", "--json");
      const section = document.sections.find((one) => one.name === "agents-md/files");
      const source = section?.sources.find(({ path }) => path.endsWith("AGENTS.md"));
      const shown = Buffer.from(document.text, "utf8").subarray(source?.start, source?.end).toString("utf8");
      count += 1;
      check(
        source !== undefined && shown === text,
        `${name} ${basename(file)}: ${Buffer.byteLength(text)} bytes stand in the prompt as they are`,
      );
    }
  }
  check(count >= 5, `${count} instruction files`);
}

try {
  checkSkills();
  checkInstructions();
} finally {
  rmSync(root, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
