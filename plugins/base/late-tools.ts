import type { JsonSchema, StandardSchema, ToolSpec } from "@quire/core";

/** Most tools one search answers with. */
export const maxFound = 10;
/** Most UTF-8 bytes of names, descriptions and schemas in one answer; the first match is always whole. */
export const maxFoundBytes = 32_768;

/**
 * The name the model sees of each tool, by full name: the part after the last slash, or `<plugin>__<name>` when an
 * earlier tool has that already.
 */
export function modelNames(tools: readonly Pick<ToolSpec, "name">[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name } of tools) {
    const slash = name.lastIndexOf("/");
    const short = name.slice(slash + 1);
    const long = `${name.slice(0, slash).replace(/^@/, "").replaceAll("/", "_")}__${short}`;
    const chosen = taken.has(short) ? long : short;
    taken.add(chosen);
    names.set(name, chosen);
  }
  return names;
}

/** The tools a request did not declare, in their order. */
export function lateTools(tools: readonly ToolSpec[], declared: ReadonlySet<string>): readonly ToolSpec[] {
  const names = modelNames(tools);
  return tools.filter(({ name }) => !declared.has(names.get(name) ?? name));
}

/** The tool of this full or model-visible name. */
export function findTool(tools: readonly ToolSpec[], name: string): ToolSpec | undefined {
  const names = modelNames(tools);
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => names.get(tool.name) === name);
}

/** Tools whose name or description holds every word of `search`, matches in the name first. No word: all of them. */
export function searchTools(tools: readonly ToolSpec[], search: string): readonly ToolSpec[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const byName = tools.filter(({ name }) => holds(name));
  const byText = tools.filter((tool) => !byName.includes(tool) && holds(`${tool.name} ${tool.description}`));
  return [...byName, ...byText];
}

/** Name, description and input schema of tools, as the model reads them, within the caps above. */
export function describeTools(tools: readonly ToolSpec[]): readonly string[] {
  const shown: string[] = [];
  let bytes = 0;
  for (const tool of tools.slice(0, maxFound)) {
    const text = `## ${tool.name}\n${tool.description.trim()}\ninput: ${JSON.stringify(inputSchema(tool))}`;
    bytes += Buffer.byteLength(text);
    if (shown.length > 0 && bytes > maxFoundBytes) break;
    shown.push(text);
  }
  return shown;
}

function inputSchema({ input }: ToolSpec): JsonSchema {
  if (!isStandardSchema(input)) return input;
  const { $schema: _dialect, ...schema } = input["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? {};
  return schema;
}

function isStandardSchema(input: ToolSpec["input"]): input is StandardSchema {
  return "~standard" in input;
}
