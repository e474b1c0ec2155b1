import { definePlugin } from "@quire/core";
import { bashTool } from "./bash-tool.js";
import { createOutputFolder } from "./output-file.js";
import { createProcessTable } from "./process-table.js";

/** The host gives a cleanup two seconds; what is left after this much of it is killed. */
const disposeGraceMs = 1000;

/** Lets the model run commands in the shell. */
export default definePlugin({
  name: "tools-shell",
  apiVersion: 1,
  setup(host) {
    const table = createProcessTable();
    host.tools.register(bashTool({ table, newFile: createOutputFolder() }));
    return () => table.endAll(disposeGraceMs);
  },
});
