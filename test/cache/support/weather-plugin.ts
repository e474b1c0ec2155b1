/**
 * The text of a plugin as a user would write it: a server whose tools are there once the file READY exists, a section
 * that says what MOOD.md says, and whatever else a test adds.
 * @param more Statements of `setup`, with `host` at hand.
 */
export function weatherPlugin(more = ""): string {
  return `import { existsSync } from "node:fs";
import path from "node:path";

const tool = (name, description) => ({
  name: "weather/" + name, description, effect: "read",
  input: { type: "object", properties: { city: { type: "string" } } },
  execute: ({ city = "nowhere" }) => name + " for " + city + ": mild",
});

export default {
  name: "weather", apiVersion: 1,
  setup(host) {
    let folder = "";
    host.hooks.sessionStart.tap((event) => { folder = event.projectRoot; });
    host.tools.source({
      name: "weather",
      list: () => existsSync(path.join(folder, "READY")) ? [tool("tomorrow", "Says how it will be."), tool("now", "Says how it is.")] : [],
    });
    host.sections.register({
      name: "weather/mood", slot: "session",
      cache: { volatile: "the sky changes all the time" },
      compute: (context) => context.read(path.join(context.projectRoot, "MOOD.md")),
    });
    ${more}
  },
};
`;
}
