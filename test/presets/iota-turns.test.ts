import iota from "@quire/plugin-preset-iota";
import { fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import { openPreset } from "../support/preset-host.js";

const signal = () => AbortSignal.timeout(20_000);
const skill = "---\nname: fresh\ndescription: Came later.\n---\nBody.\n";

async function openIota(text: string) {
  const provider = fakeProvider({ replies: () => "ok" });
  const config = { iota: { workspace: true } };
  const files = { "/repo/AGENTS.md": text };
  const host = await openPreset(iota, { files, provider, config, instructions: "Mine, as I wrote it." });
  return { host, systems: () => provider.requests.map(({ system }) => system.text) };
}

test("IO-10 the prompt is built anew for each request and stored nowhere; the log keeps what was said", async () => {
  const { host, systems } = await openIota("Rule one.");
  await host.session.send("hello", signal()).result;
  host.write("/repo/AGENTS.md", "Rule two.");
  await host.session.send("again", signal()).result;
  expect(systems().map((text) => /Rule \w+/.exec(text)?.[0])).toEqual(["Rule one", "Rule two"]);
  const log = JSON.stringify(host.records);
  for (const said of ["hello", "again", "ok"]) expect(log).toContain(JSON.stringify(said));
  for (const text of ["Rule one", "Rule two", "as I wrote it"]) expect(log).not.toContain(text);
  // Hashes stay, so that a change can be dated.
  const kept = host.records.filter(({ type }) => type === "baseline");
  expect(kept).toHaveLength(2);
  expect(JSON.stringify(kept)).toMatch(/"name":"agents-md\/files"[^\]]*?"hash":"[0-9a-f]{64}"/);
});

test("IO-50 between turns a changed file makes the overlay be read anew, with no word of it in the history", async () => {
  const { host, systems } = await openIota("Rule one.");
  await host.session.send("hello", signal()).result;
  host.write("/repo/packages/app/AGENTS.md", "Rule of the app.");
  host.write("/repo/.agents/skills/fresh/SKILL.md", skill);
  await host.session.send("again", signal()).result;
  const [first, second] = systems();
  expect(first).not.toContain("Rule of the app.");
  expect(second).toMatch(/Rule one\.\n\nRule of the app\.[^]*Came later\./);
  expect(second?.startsWith("Mine, as I wrote it.")).toBe(true);
  expect(host.session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("IO-11 after a resume a request carries what is composed now, also from a log without texts", async () => {
  const { host, systems } = await openIota("Rule one.");
  await host.session.send("hello", signal()).result;
  host.write("/repo/AGENTS.md", "Rule two.");
  const resumed = await host.open({ cwd: "/repo/packages/app", resume: host.session.info.id });
  await resumed.send("again", signal()).result;
  expect(systems().at(-1)).toContain("Rule two.");
  expect(resumed.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});
