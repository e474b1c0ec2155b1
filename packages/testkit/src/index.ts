export { startModelServer } from "./model-server/start-model-server.js";
export { providerSuite } from "./provider/provider-suite.js";
export { collectEvents, providerRequest, toolResult, userMessage } from "./provider/provider-request.js";
export { freezeDeep } from "./provider/freeze-deep.js";
export { createTestHost, testNow } from "./test-host/create-test-host.js";
export { fakeProvider } from "./test-host/fake-provider.js";

export type { ModelServer, ModelServerOptions } from "./model-server/start-model-server.js";
export type { Fault, RecordedRequest, Reply, ReplyToolCall } from "./model-server/reply.js";
export type { ProviderSuite, SuiteExpect } from "./provider/provider-suite.js";
export type { TestHost, TestHostOptions, TestPlace } from "./test-host/create-test-host.js";
export type { FakeProvider, FakeProviderOptions, FakeReply } from "./test-host/fake-provider.js";
