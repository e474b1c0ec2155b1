import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

interface Shown {
  readonly text: string;
  readonly boundary: number;
  readonly tools: readonly { readonly name: string }[];
  readonly sections: readonly { readonly name: string; readonly region: string | null; readonly hash: string }[];
}

function clone(files: Readonly<Record<string, string>>): Machine {
  const machine = createMachine(files);
  onTestFinished(() => machine.remove());
  return machine;
}

async function prompt(machine: Machine): Promise<Shown> {
  const run = await runAgent(machine, ["prompt", "--json"], { env: { USER: path.basename(machine.root) } });
  expect(run).toMatchObject({ code: 0 });
  return JSON.parse(run.stdout) as Shown;
}

const skill = "---\nname: release\ndescription: Makes a release.\n---\nRun the tests first.\n";

test("two clones of two users, one with skills and one without, share the global region byte for byte", async () => {
  const mine = clone({ "AGENTS.md": "Mind the gap.\n", ".agents/skills/release/SKILL.md": skill });
  mine.write("home/.quire/skills/review/SKILL.md", skill.replaceAll("release", "review"));
  mine.write("home/.quire/AGENTS.md", "I am Ada.\n");
  const yours = clone({ "README.md": "# Other\n" });
  const [a, b] = [await prompt(mine), await prompt(yours)];
  expect(a.text).toContain("release");
  expect(b.text).not.toContain("release");
  const global = ({ text, boundary }: Shown) => Buffer.from(text, "utf8").subarray(0, boundary).toString("utf8");
  expect(global(a)).toBe(global(b));
  expect(a.boundary).toBeGreaterThan(1_000);
  expect(a.tools).toEqual(b.tools);
  expect(a.tools.map(({ name }) => name)).toContain("load_skill");
  expect(a.text.slice(global(a).length)).not.toBe(b.text.slice(global(b).length));
  for (const trace of [mine.root, yours.root, "Ada"]) expect(global(a)).not.toContain(trace);
});
