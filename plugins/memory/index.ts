import { definePlugin } from "@quire/core";
import cutMarker from "../../prompts/memory/cut.md";
import intro from "../../prompts/memory/intro.md";
import { loadMemory, memoryItems } from "./load-memory.js";
import { memoryPaths } from "./memory-paths.js";
import { memoryOptions } from "./options.js";

/** Brings the notes of user and project, `MEMORY.md`, into the prompt. */
export default definePlugin({
  name: "memory",
  apiVersion: 1,
  options: memoryOptions,
  configKeys: ["memory"],
  setup(host) {
    const { enabled, paths, max_bytes: maxBytes, max_lines: maxLines, audience, group } = host.options.memory;
    const reported = new Set<string>();
    host.sections.register({
      name: "memory/files",
      slot: "memory",
      cache: "memoized",
      audience,
      ...(group === undefined ? {} : { group }),
      when: () => enabled,
      async compute(context) {
        const { files, problems } = await loadMemory(context, memoryPaths(paths, context), { maxBytes, maxLines });
        for (const problem of problems.filter(({ message }) => !reported.has(message))) {
          reported.add(problem.message);
          host.report(problem);
        }
        return memoryItems(files, intro.trim(), cutMarker.trim());
      },
    });
  },
});
