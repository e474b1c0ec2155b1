import { expect, test } from "vitest";
import type { PluginHost } from "@quire/core";
import { openBed, plugin } from "../support/core-bed.js";
import { taggedLayout } from "../support/plain-layout.js";
import { createRandom } from "../support/seeded-random.js";

type Registration = (host: PluginHost) => void;

const slots = ["identity", "rules", "session", "elsewhere"];

/** Registrations and edits of three plugins, each of them independent of its plugin's others. */
function registrations(): Readonly<Record<string, readonly Registration[]>> {
  const section = (name: string, index: number): Registration => {
    const after = index % 3 === 1 ? { after: [`${name}-0`] } : {};
    return (host) =>
      host.sections.register({
        name: `${name}-${index}`,
        slot: slots[index % slots.length] ?? "end",
        group: index < 4 ? "basics" : "more",
        cache: index % 5 === 4 ? { volatile: "changes with every turn", deliver: "prefix" } : "memoized",
        scope: index % 2 === 0 ? "global" : "session",
        compute: () => `${name} ${index}`,
        ...after,
      });
  };
  const eight = (name: string) => [0, 1, 2, 3, 4, 5, 6, 7].map((index) => section(name, index));
  return {
    first: eight("first/s"),
    second: [
      ...eight("second/s"),
      (host) => host.sections.replace("first/s-1", "by second"),
      (host) => host.sections.remove("first/s-2", "not wanted"),
      (host) => host.sections.wrap("first/s-1", (was) => (was.kind === "text" ? `[${was.text}]` : was)),
      (host) => host.sections.append({ section: "first/s-3" }, "inside", "inside"),
      (host) => host.sections.prepend({ slot: "rules" }, "leading", "leading"),
      (host) => host.sections.append({ slot: "rules" }, "trailing", "trailing"),
      (host) => host.sections.patch("first/s-5", { slot: "end" }),
      (host) => host.sections.replace("first/nobody", "dangling"),
    ],
    third: [
      ...eight("third/s"),
      (host) => host.sections.replace("first/s-1", "by third"),
      (host) => host.sections.wrap("second/s-3", (was) => (was.kind === "text" ? `{${was.text}}` : was)),
      (host) => host.sections.remove("second/nobdy", "dangling"),
      (host) => host.sections.append({ section: "third/s-3" }, "deep", "deep"),
    ],
  };
}

async function account(order: (list: readonly Registration[]) => readonly Registration[]) {
  const plugins = Object.entries(registrations()).map(([name, list]) =>
    plugin(name, (host) => {
      for (const register of order(list)) register(host);
    }),
  );
  const bed = await openBed({ plugins, layout: taggedLayout });
  const prompt = await bed.session.prompt();
  return {
    text: prompt.text,
    regions: prompt.regions,
    names: prompt.sections.map(({ name }) => name),
    leftOut: prompt.leftOut.map(({ section, why }) => `${section} ${why}`).sort(),
    diagnostics: prompt.diagnostics.map((found) => JSON.stringify(found)).sort(),
  };
}

test("any order of registration within a plugin gives equal bytes and diagnostics", async () => {
  const written = await account((list) => list);
  expect(written.text).toContain("[by third]");
  expect(written.diagnostics.join()).toContain("section-dangling");
  const random = createRandom(20_240_611);
  for (let round = 0; round < 40; round++) {
    expect(await account((list) => random.shuffle(list)), `round ${round}`).toEqual(written);
  }
});
