export { load } from "./load.js";
export { configJsonSchema } from "./config/json-schema.js";
export { parseFrontMatter } from "./markdown/front-matter.js";
export { diskFiles } from "./disk-files.js";
export { loadModels } from "./models/load-models.js";

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
export type { ModelFacts, ModelLimits, ModelTable } from "./models/model-facts.js";
export type { FoundModels } from "./models/read-models.js";
export type { FrontMatter } from "./markdown/front-matter.js";
export { recordedTurns, replayRequest } from "./sessions/replay.js";
export type { RecordedRequest, RecordedTurn } from "./sessions/replay.js";
