import { definePlugin } from "@quire/core";
import type { SectionContext } from "@quire/core";
import { agentSections } from "./agent-sections.js";
import type { Kernel } from "./environment.js";
import { claudeCodeLayout } from "./layout.js";
import { claudeCodeOptions } from "./options.js";
import { loadOutputStyle, type OutputStyle } from "./output-style.js";
import { presetData } from "./preset-data.js";
import { promptSection } from "./prompt-parts.js";
import { sessionSections } from "./session-sections.js";
import { staticSections } from "./static-sections.js";

/** @param captureKernel Called once, in set-up, so that the facts hold for as long as the host lives. */
export function claudeCodePreset(captureKernel: () => Kernel) {
  return definePlugin({
    name: "preset-claude-code",
    apiVersion: 1,
    options: claudeCodeOptions,
    configKeys: ["claude_code"],
    preset: presetData,
    setup(host) {
      const options = host.options.claude_code;
      const kernel = captureKernel();
      const reported = new Set<string>();
      const styleOf = async (context: SectionContext): Promise<OutputStyle | undefined> => {
        if (options.output_style === undefined) return undefined;
        const { style, problem } = await loadOutputStyle(options.output_style, context, (text) =>
          host.frontMatter(text),
        );
        if (problem !== undefined && !reported.has(problem.message)) {
          reported.add(problem.message);
          host.report(problem);
        }
        return style;
      };
      const parts = [
        ...staticSections(options, styleOf),
        ...sessionSections(options, kernel, styleOf),
        ...agentSections(kernel),
      ];
      for (const part of parts) host.sections.register(promptSection(part, options.proactive));
      host.layouts.register(claudeCodeLayout);
    },
  });
}
