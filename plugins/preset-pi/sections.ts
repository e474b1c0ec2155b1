import type { PluginHost, SectionBody } from "@quire/core";
import role from "../../prompts/preset-pi/role.md";
import { findDocumentation, pointerText } from "./pointers.js";
import { fileContent, findSystemFile } from "./system-file.js";
import { toolsContent, toolsKey, unlistedTools } from "./tools-content.js";

type Report = PluginHost["report"];

/** The role sentence, or the user's own prompt from `SYSTEM.md` in its place. */
export function roleBody(report: Report): SectionBody {
  return {
    cache: "memoized",
    async compute(context) {
      const custom = await findSystemFile(context, "SYSTEM.md", report);
      if (custom === undefined) return role.trim();
      report({
        code: "system-file-replaces",
        level: "info",
        message: `${custom.file} stands in place of the role, the tool list, the guidelines and the pointers`,
        at: { kind: "file", file: custom.file },
        fix: "To add to them instead, call it APPEND_SYSTEM.md",
      });
      return fileContent(custom);
    },
  };
}

/** Tool list and guidelines; a prompt of the user's own leaves both out. */
export function toolsBody(report: Report): SectionBody {
  return {
    cache: "memoized",
    key: ({ tools }) => toolsKey(tools),
    async compute(context) {
      if ((await findSystemFile(context, "SYSTEM.md", report)) !== undefined) return null;
      const unlisted = unlistedTools(context.tools);
      if (unlisted.length > 0) report(unlistedFinding(unlisted));
      return toolsContent(context.tools);
    },
  };
}

/** Where the host's own documentation is; a prompt of the user's own leaves it out. */
export function pointersBody(folder: string | undefined, report: Report): SectionBody {
  return {
    cache: "memoized",
    async compute(context) {
      if ((await findSystemFile(context, "SYSTEM.md", report)) !== undefined) return null;
      const documentation = await findDocumentation(context, folder);
      return documentation === undefined ? null : pointerText(documentation);
    },
  };
}

/** The text of `APPEND_SYSTEM.md`. */
export function appendBody(report: Report): SectionBody {
  return {
    cache: "memoized",
    async compute(context) {
      const file = await findSystemFile(context, "APPEND_SYSTEM.md", report);
      return file === undefined ? null : fileContent(file);
    },
  };
}

/** The last line of the prompt. */
export const folderBody: SectionBody = {
  cache: "memoized",
  key: ({ cwd }) => cwd,
  compute: ({ cwd }) => `Current working directory: ${cwd.replaceAll("\\", "/")}`,
};

function unlistedFinding(names: readonly string[]): Parameters<Report>[0] {
  return {
    code: "tool-unlisted",
    level: "info",
    message: `Callable, and not in the prompt's list for want of a one-line snippet: ${names.join(", ")}`,
    section: "base/tools",
    fix: "Give the tool a snippet",
  };
}
