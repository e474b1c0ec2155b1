import path from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "@quire/loader";
import { findDocumentation, pointerText } from "./pointers.js";

const list = (folder: string) => diskFiles.list(folder);

test("finds the documentation this program came with, and maps topics only to files that are there", async () => {
  const root = path.resolve(import.meta.dirname, "../..");
  const found = await findDocumentation({ list });
  expect(found).toMatchObject({ readme: path.join(root, "README.md"), examples: path.join(root, "plugins") });
  const files = (await list(path.join(root, "docs"))) ?? [];
  expect(found?.topics.length).toBeGreaterThan(1);
  for (const { file } of found?.topics ?? []) expect(files).toContain(file);
});

test("finds none where there is none", async () => {
  expect(await findDocumentation({ list: () => Promise.resolve(["README.md", "docs/"]) }, "/opt")).toBeUndefined();
  expect(await findDocumentation({ list: () => Promise.resolve(null) })).toBeUndefined();
});

test("names paths as they are, whatever signs they hold", () => {
  const text = pointerText({ readme: "/a$&/README.md", docs: "/d", examples: "/e", topics: [] });
  expect(text).toContain("- Start with: /a$&/README.md\n");
});
