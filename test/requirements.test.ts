import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { requirementsPage } from "../scripts/requirements.mjs";

const root = path.resolve(import.meta.dirname, "..");

interface Rule {
  readonly id: string;
  readonly title: string;
  readonly notApplicable?: string;
  readonly partNotApplicable?: string;
}

async function rules(): Promise<readonly Rule[]> {
  const groups = JSON.parse(await readFile(path.join(root, "test/requirements.json"), "utf8")) as readonly {
    readonly rules: readonly Rule[];
  }[];
  return groups.flatMap((group) => group.rules);
}

test("docs/requirements.md is what scripts/requirements.mjs writes", async () => {
  const { text } = await requirementsPage();
  expect(await readFile(path.join(root, "docs/requirements.md"), "utf8")).toBe(text);
});

test("every id in a test's name is the id of a rule", async () => {
  expect((await requirementsPage()).unknown).toEqual([]);
});

test("there are 276 rules, each with an id of its own, numbered without a gap", async () => {
  const ids = (await rules()).map(({ id }) => id);
  const counts = { MG: 68, IO: 56, PI: 50, CC: 41, CA: 61 };
  const wanted = Object.entries(counts).flatMap(([system, count]) =>
    Array.from({ length: count }, (_, index) => `${system}-${String(index + 1).padStart(2, "0")}`),
  );
  expect(ids).toEqual(wanted);
  expect(ids).toHaveLength(276);
});

test("a rule that does not apply says why", async () => {
  const excused = (await rules()).filter(({ notApplicable }) => notApplicable !== undefined);
  expect(excused.map(({ id }) => id)).toContain("CC-15");
  expect(excused.every(({ notApplicable = "" }) => notApplicable.length > 8)).toBe(true);
});

test("the page shows a tested rule with its file, a rule that does not apply with its reason, and no rule twice", async () => {
  const { text } = await requirementsPage();
  expect(text).toMatch(/\| CC-29 +\| .*\[plugins\/memory\/index\.test\.ts\]\(\.\.\/plugins\/memory\/index\.test\.ts\)/);
  expect(text).toMatch(/\| CC-15 +\| .*n\/a: no screen of ours holds sections/);
  expect(text.match(/^\| [A-Z]{2}-\d{2} /gm)).toHaveLength(276);
});
