import { expect, test } from "vitest";
import { openBed, plugin } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";

test("a prompt limited to some tools declares them alone, and its sections speak of them alone", async () => {
  const own = plugin("own", (host) => {
    for (const name of ["own/look", "own/move"]) host.tools.register(recordingTool(name));
    host.sections.register({
      name: "own/tools",
      slot: "tools",
      cache: "memoized",
      key: (context) => context.tools.map(({ name }) => name).join(),
      compute: (context) => context.tools.map(({ name }) => name).join(),
    });
  });
  const bed = await openBed({ plugins: [own] });
  const all = await bed.session.prompt();
  const one = await bed.session.prompt({ tools: ["move"] });
  expect([all, one].map(({ text }) => text)).toEqual(["look,move", "move"]);
  expect(one.request.tools.map(({ name }) => name)).toEqual(["move"]);
  expect(one.tools.find(({ name }) => name === "look")?.off).toBe("this task may not use it");
  expect((await bed.session.prompt()).text).toBe("look,move");
});
