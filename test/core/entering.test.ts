import { expect, test } from "vitest";
import { openBed, plugin } from "../support/core-bed.js";
import { plainLayout } from "../support/plain-layout.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, createScriptedProvider } from "../support/scripted-provider.js";

test("whatever code of a plugin runs, the host says whose it is before", async () => {
  let current: string | null = null;
  const seen: Record<string, string | null> = {};
  const note = (where: string) => void (seen[where] = current);
  const provider = createScriptedProvider([calls(["look"])]);
  const own = plugin("own", (host) => {
    note("setup");
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      when: () => (note("when"), true),
      key: () => (note("key"), ""),
      budget: { maxBytes: 2, overflow: "cut", marker: () => (note("marker"), "") },
      compute: () => (note("compute"), "abc"),
    });
    host.sections.wrap("own/it", (was) => (note("wrap"), was));
    host.hooks.beforeAgentStart.tap(() => note("tap"));
    host.tools.register(recordingTool("own/look", { run: () => (note("tool"), "") }));
    host.commands.register({ name: "own/go", description: "Goes", run: () => (note("command"), "go") });
    host.providers.register({
      ...provider,
      name: "mine",
      project: (request) => (note("project"), provider.project(request)),
      stream: (wire, signal) => (note("stream"), provider.stream(wire, signal)),
    });
    host.layouts.register({ ...plainLayout, name: "mine", render: (section, p) => (note("render"), p.body(section)) });
  });
  const bed = await openBed({
    plugins: [own],
    config: { layout: "mine", model: "mine/one" },
    entering: (name) => void (current = name),
  });
  await bed.send("/go");
  const places = "setup when key compute wrap marker tap tool command project stream render".split(" ");
  expect(seen).toEqual(Object.fromEntries(places.map((place) => [place, "own"])));
});
