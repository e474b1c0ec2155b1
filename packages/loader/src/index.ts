export { load } from "./load.js";
export { configJsonSchema } from "./config/json-schema.js";
export { parseFrontMatter } from "./markdown/front-matter.js";
export { diskFiles } from "./disk-files.js";

export type {
  AgentProfile,
  Builtin,
  ConfigScope,
  Loaded,
  LoadedConfig,
  LoadFlags,
  LoadOptions,
  ProfileChoice,
  SessionStore,
  SessionSummary,
} from "./contract.js";
export type { FrontMatter } from "./markdown/front-matter.js";
