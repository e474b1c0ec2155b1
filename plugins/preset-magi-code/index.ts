import { definePlugin } from "@quire/core";
import { magiCodeLayout } from "./layout.js";
import { magiCodeOptions } from "./options.js";
import { magiCodePreset } from "./preset.js";
import { magiCodeSections } from "./sections.js";

/** The prompt by the rules of magi-code: strict fragments, skills by address, context files last. */
export default definePlugin({
  name: "preset-magi-code",
  apiVersion: 1,
  preset: magiCodePreset,
  options: magiCodeOptions,
  configKeys: ["magi_code"],
  setup(host) {
    host.layouts.register(magiCodeLayout);
    for (const section of magiCodeSections(host, host.options.magi_code)) host.sections.register(section);
  },
});
