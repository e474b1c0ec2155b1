/** Top-level keys that belong to the host itself. */
export const hostKeys = [
  "preset",
  "model",
  "layout",
  "plugins",
  "disable",
  "sections",
  "tools",
  "prompt",
  "instructions",
  "profiles",
  "trust",
] as const;

/** Keys of the host's nested mappings, by the path to them; `*` stands for a name the user chooses. */
export const nestedKeys: Readonly<Record<string, readonly string[]>> = {
  prompt: ["prefix", "max_tokens", "record", "flag_files"],
  instructions: ["file"],
  profiles: ["paths", "primary_paths", "inject"],
  trust: ["paths"],
  tools: ["only", "off"],
  "plugins.*": ["options", "required"],
  "sections.*": ["append", "prepend", "text", "file", "use"],
};

/** What stands in config when nobody says anything. */
export const defaultConfig = { preset: "quire", layout: "quire", prompt: { prefix: "frozen" } } as const;
