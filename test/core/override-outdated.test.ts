import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { HostEdit } from "@quire/core/host";
import { openBed, plugin } from "../support/core-bed.js";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

test.for([
  { name: "silent while the text behind it is the one it was made for", base: hash("You are Q."), want: [] },
  { name: "reported when that text has changed since", base: hash("You were P."), want: ["override-outdated"] },
])("an override is $name", async ({ base, want }) => {
  const own = plugin("own", (host) =>
    host.sections.register({ name: "own/who", slot: "identity", cache: "memoized", compute: () => "You are Q." }),
  );
  const by = { kind: "file", file: "/home/ada/.quire/sections/own/who.md", line: 4 } as const;
  const edit: HostEdit = { layer: "user", op: "replace", section: "own/who", content: "You are mine.", by, base };
  const bed = await openBed({ plugins: [own], edits: [edit] });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("You are mine.");
  const found = prompt.diagnostics.filter(({ code }) => code === "override-outdated");
  expect(found.map(({ code }) => code)).toEqual(want);
  if (want.length > 0) expect(found[0]).toMatchObject({ level: "warn", section: "own/who", at: by });
});
