import type { Layout } from "@quire/core";

/** The layout of a host whose plugins bring none: every section in a block that names it, slots in the usual order. */
export const testLayout: Layout = {
  name: "test",
  slots: [
    "identity",
    "rules",
    "tools",
    "agents",
    "skills",
    "mcp",
    "environment",
    "memory",
    "project",
    "instructions",
    "session",
    "end",
  ].map((slot) => ({ slot })),
  render(section, p) {
    const body = p.body(section);
    return body.length === 0 ? [] : p.block("section", { name: section.name }, body);
  },
};
