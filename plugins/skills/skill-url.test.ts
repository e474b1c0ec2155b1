import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import skills from "./index.js";

/** A tool called `read` that says which path it was given. */
const reader = definePlugin({
  name: "reader",
  apiVersion: 1,
  setup: (host) =>
    host.tools.register({
      name: "reader/read",
      description: "Reads.",
      effect: "read",
      input: { type: "object" },
      execute: (args) => `path ${JSON.stringify((args as { path: string }).path)}`,
    }),
});

async function rootWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "skill-url-")));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

/** What the model gets for a `read` of `address`. The files stand on the disk and, for the host, in memory. */
async function read(root: string, files: Readonly<Record<string, string>>, address: string) {
  const provider = fakeProvider({ replies: [{ toolCalls: [{ name: "read", args: { path: address } }] }, "done"] });
  const host = await createTestHost({
    plugins: [skills, reader],
    provider,
    config: { skills: { load: "url", roots: [root] } },
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [path.join(root, name), text])),
  });
  await host.session.send("go", AbortSignal.timeout(20_000)).result;
  const [result] = provider.requests[1]?.messages.at(-1)?.content ?? [];
  return result?.type === "tool-result" ? JSON.stringify(result.content) : "";
}

const files = {
  "release/SKILL.md": "---\nname: release\ndescription: Makes a release.\n---\nBody",
  "release/docs/steps.md": "Steps",
  "hidden/SKILL.md": "---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\n",
  "secret.txt": "secret",
};

test.for([
  { address: "skill://release", want: "release/SKILL.md" },
  { address: "skill://release/", want: "release/SKILL.md" },
  { address: "skill://release/docs/steps.md", want: "release/docs/steps.md" },
])("MG-42 leads a read of $address to its file", async ({ address, want }) => {
  const root = await rootWith(files);
  expect(await read(root, files, address)).toContain(String.raw`path \"${path.join(root, want)}\"`);
});

test.for([
  {
    name: "a path out of the folder",
    address: "skill://release/../secret.txt",
    says: "leads out of the skill's folder",
  },
  { name: "a link out of the folder", address: "skill://release/leak.txt", says: "leads out of the skill's folder" },
  { name: "an unknown skill", address: "skill://relase", says: "the nearest are: release" },
  { name: "a skill that only the user may start", address: "skill://hidden", says: "lets only the user start it" },
])("MG-42 refuses $name and says why", async ({ address, says }) => {
  const root = await rootWith(files);
  await symlink("../secret.txt", path.join(root, "release", "leak.txt"));
  const answer = await read(root, files, address);
  expect(answer).toContain("Refused: ");
  expect(answer).toContain(says);
});

test("leaves every other read alone", async () => {
  expect(await read(await rootWith(files), files, "docs/skill://x")).toContain(String.raw`path \"docs/skill://x\"`);
});
