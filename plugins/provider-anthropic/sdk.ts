/** The SDK's client and the one resource it is asked for: all resources together are most of its code. */
export { BaseAnthropic } from "@anthropic-ai/sdk/client";
export { Models } from "@anthropic-ai/sdk/resources/models";
