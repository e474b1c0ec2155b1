import { definePlugin } from "@quire/core";
import type { Effect, PluginDefinition, ProviderRequest } from "@quire/core";
import codingAgent from "@quire/plugin-preset-coding-agent";
import type { TestHost } from "@quire/testkit";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import type { FileMap } from "./fixture.js";

export const openCodingAgent = async (files: FileMap, options: PresetHostOptions = {}): Promise<TestHost> =>
  await openPreset(codingAgent, { ...options, files });

export async function promptOf(files: FileMap, options: PresetHostOptions = {}): Promise<string> {
  return (await (await openCodingAgent(files, options)).session.prompt()).text;
}

/** The text between a tag and its end; undefined when the tag is not there. */
export function within(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1];
}

/** The names in the array of `<tools>`. */
export function namedTools(text: string): readonly string[] {
  return JSON.parse(within(text, "tools") ?? "null") as readonly string[];
}

export function declaredTools(request: Pick<ProviderRequest, "tools">): readonly string[] {
  return request.tools.map(({ name }) => name);
}

export interface ToolOptions {
  readonly effect?: Effect;
  execute?(): string;
}

/** A plugin with one tool that carries neither a snippet nor guidelines. */
export function toolPlugin(name: string, options: ToolOptions = {}): PluginDefinition {
  return definePlugin({
    name: `extra-${name}`,
    apiVersion: 1,
    setup: (host) =>
      host.tools.register({
        name: `extra-${name}/${name}`,
        description: `Does what ${name} does.`,
        effect: options.effect ?? "read",
        input: { type: "object", properties: { secret_argument: { type: "string" } } },
        execute: () => options.execute?.() ?? "done",
      }),
  });
}

export async function send(host: TestHost, text: string) {
  return await host.session.send(text, AbortSignal.timeout(20_000)).result;
}

/** All text of the messages of one role, message by message. */
export function textsOf(host: TestHost, role: string): readonly string[] {
  const messages = host.session.messages.filter((message) => message.role === role);
  return messages.map(({ content }) =>
    content.flatMap((block) => (block.type === "text" ? [block.text] : [JSON.stringify(block)])).join("\n"),
  );
}
