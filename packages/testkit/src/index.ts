export { startModelServer } from "./model-server/start-model-server.js";

export type { ModelServer, ModelServerOptions } from "./model-server/start-model-server.js";
export type { Fault, RecordedRequest, Reply, ReplyToolCall } from "./model-server/reply.js";
