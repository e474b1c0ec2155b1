import { definePlugin } from "@quire/core";
import pi from "@quire/plugin-preset-pi";
import type { TestHost } from "@quire/testkit";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import type { FileMap } from "./fixture.js";

/** Stands in for the folder Quire is installed in. */
export const documentation: FileMap = {
  "/opt/quire/README.md": "Quire",
  "/opt/quire/docs/cli.md": "The command line",
  "/opt/quire/docs/plugins.md": "Plugins",
  "/opt/quire/plugins/base/README.md": "base",
};
export const withDocumentation = { plugins: { "preset-pi": { options: { docs: "/opt/quire" } } } };

/** A host under the preset, with documentation to point to. */
export async function openPi(files: FileMap, options: PresetHostOptions = {}): Promise<TestHost> {
  return await openPreset(pi, {
    ...options,
    files: { ...documentation, ...files },
    config: { ...withDocumentation, ...options.config },
  });
}

export async function promptOf(files: FileMap, options: PresetHostOptions = {}): Promise<string> {
  return (await (await openPi(files, options)).session.prompt()).text;
}

export function codesOf(host: TestHost): readonly string[] {
  return host.diagnostics.map(({ code }) => code);
}

/** A plugin whose tools stand in for those of a stranger. */
export function toolPlugin(
  tools: readonly { readonly name: string; readonly snippet?: string; readonly guidelines?: string[] }[],
) {
  return definePlugin({
    name: "extra",
    apiVersion: 1,
    setup(host) {
      for (const tool of tools) {
        const { name, ...rest } = tool;
        host.tools.register({
          ...rest,
          name: `extra/${name}`,
          description: "Does something.",
          effect: "read",
          input: { type: "object" },
          execute: () => "done",
        });
      }
    },
  });
}

/** Config that leaves these tools on. */
export const only = (...names: readonly string[]) => ({ tools: { only: names } });

export const cwdLine = "Current working directory: /repo/packages/app";

/** What becomes of a line the user types. */
export async function sent(files: FileMap, text: string, options: PresetHostOptions = {}): Promise<string> {
  const host = await openPi(files, { strict: false, ...options });
  await host.session.send(text, AbortSignal.timeout(20_000)).result;
  const [block] = host.session.messages[0]?.content ?? [];
  return block?.type === "text" ? block.text : "";
}
