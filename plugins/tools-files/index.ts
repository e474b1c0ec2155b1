import { definePlugin } from "@quire/core";
import { editTool } from "./edit-tool.js";
import { findTool } from "./find-tool.js";
import { grepTool } from "./grep-tool.js";
import { lsTool } from "./ls-tool.js";
import { createOverflow } from "./overflow.js";
import { readTool } from "./read-tool.js";
import { writeTool } from "./write-tool.js";

/** Lets the model read, search and change files. */
export default definePlugin({
  name: "tools-files",
  apiVersion: 1,
  setup(host) {
    const overflow = createOverflow();
    host.tools.register(readTool);
    host.tools.register(writeTool);
    host.tools.register(editTool);
    host.tools.register(lsTool(overflow));
    host.tools.register(findTool(overflow));
    host.tools.register(grepTool(overflow));
  },
});
