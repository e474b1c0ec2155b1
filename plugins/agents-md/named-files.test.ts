import { expect, test } from "vitest";
import { createNamedFiles } from "./named-files.js";

const place = { cwd: "/repo/packages/app", projectRoot: "/repo" };

test.for([
  { words: "Look at src/a.ts, please.", want: ["packages/app/src/a.ts", "src/a.ts"] },
  { words: "Look at (./a.ts).", want: ["packages/app/a.ts", "a.ts"] },
  { words: "See @/repo/docs/x.md!", want: ["docs/x.md"] },
  { words: "In /etc/hosts and ~/x nothing counts", want: ["packages/app/~/x", "~/x"] },
  { words: "No file here. At all.", want: [] },
])("finds in $words the files $want", ({ words, want }) => {
  const named = createNamedFiles();
  named.addWords("s", words, place);
  expect(named.of("s")).toEqual(want);
});

test("takes the path of a tool's arguments, keeps sessions apart and forgets", () => {
  const named = createNamedFiles();
  named.addArguments("s", { path: "/repo/a b.ts", content: "src/no.ts" }, place);
  named.addArguments("t", { file_path: "/repo/t.ts" }, place);
  expect(named.of("s")).toEqual(["a b.ts"]);
  named.forget("s");
  expect([named.of("s"), named.of("t")]).toEqual([[], ["t.ts"]]);
});

test("keeps the 200 newest", () => {
  const named = createNamedFiles();
  for (let index = 0; index < 300; index++) named.addArguments("s", { path: `/repo/${index}.ts` }, place);
  expect(named.of("s")).toHaveLength(200);
  expect(named.of("s").at(-1)).toBe("299.ts");
});
