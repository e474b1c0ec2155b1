import { release, type } from "node:os";
import { claudeCodePreset } from "./preset.js";

/** The prompt by the rules of Claude Code. */
export default claudeCodePreset(() => ({ name: type(), release: release() }));
