export { startModelServer } from "./model-server/start-model-server.js";
export { providerSuite } from "./provider/provider-suite.js";
export { collectEvents, providerRequest, toolResult, userMessage } from "./provider/provider-request.js";
export { freezeDeep } from "./provider/freeze-deep.js";

export type { ModelServer, ModelServerOptions } from "./model-server/start-model-server.js";
export type { Fault, RecordedRequest, Reply, ReplyToolCall } from "./model-server/reply.js";
export type { ProviderSuite, SuiteExpect } from "./provider/provider-suite.js";
