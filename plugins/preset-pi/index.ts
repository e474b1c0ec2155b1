import { definePlugin } from "@quire/core";
import * as z from "zod";
import { piLayout } from "./layout.js";
import { piPreset } from "./preset-data.js";
import { appendBody, folderBody, pointersBody, roleBody, toolsBody } from "./sections.js";

/** The prompt by the rules of pi. */
export default definePlugin({
  name: "preset-pi",
  apiVersion: 1,
  options: z.strictObject({
    /** The folder with Quire's README, docs and plugins; by default the nearest one above the program. */
    docs: z.string().optional(),
  }),
  preset: piPreset,
  setup(host) {
    const reported = new Set<string>();
    const report: typeof host.report = (finding) => {
      if (reported.has(finding.message)) return;
      reported.add(finding.message);
      host.report(finding);
    };
    host.layouts.register(piLayout);
    host.sections.replace("base/identity", roleBody(report));
    host.sections.replace("base/tools", toolsBody(report));
    host.sections.replace("base/rules", pointersBody(host.options.docs, report));
    host.sections.replace("environment/facts", folderBody);
    host.sections.register({ ...appendBody(report), name: "preset-pi/append", slot: "end" });
  },
});
