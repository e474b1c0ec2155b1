import type { Layout } from "@quire/core";

/** The bodies of the sections with a blank line between, in four slots. */
export const plainLayout: Layout = {
  name: "plain",
  slots: [{ slot: "identity" }, { slot: "rules" }, { slot: "session" }, { slot: "end" }],
  render: (section, p) => p.body(section),
};

/** The same slots, each section in a block of its name. */
export const taggedLayout: Layout = {
  ...plainLayout,
  name: "tagged",
  render: (section, p) => p.block(section.name.replaceAll(/[@/]/g, "_"), {}, p.body(section)),
};
