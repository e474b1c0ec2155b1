import { definePlugin } from "@quire/core";
import identity from "../../prompts/base/identity.md";
import rules from "../../prompts/base/rules.md";
import { lateSection } from "./late-section.js";
import { quireLayout } from "./layout.js";
import { toolsContent, toolsKey } from "./tools-content.js";
import { useTool } from "./use-tool.js";

/** Identity, rules and tool list of the default prompt, the default layout, late tools and the gateway to them. */
export default definePlugin({
  name: "base",
  apiVersion: 1,
  setup(host) {
    const shared = { group: "base", cache: "memoized", scope: "global" } as const;
    host.sections.register({
      ...shared,
      name: "base/identity",
      slot: "identity",
      compute: () => identity.trim(),
    });
    host.sections.register({ ...shared, name: "base/rules", slot: "rules", compute: () => rules.trim() });
    host.sections.register({
      ...shared,
      name: "base/tools",
      slot: "tools",
      key: (context) => toolsKey(context.tools),
      compute: (context) => toolsContent(context.tools),
    });
    host.layouts.register(quireLayout);

    const declared = new Map<string, ReadonlySet<string>>();
    host.hooks.beforeProviderRequest.tap((request, context) => {
      declared.set(context.session.id, new Set(request.tools.map(({ name }) => name)));
    });
    host.hooks.sessionEnd.tap((event) => {
      declared.delete(event.session.id);
    });
    host.sections.register(lateSection(host.tools, (session) => declared.get(session)));
    host.tools.register(useTool(host.tools, (session) => declared.get(session) ?? new Set()));
  },
});
