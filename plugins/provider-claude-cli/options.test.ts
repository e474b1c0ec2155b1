import { expect, test } from "vitest";
import { claudeCliOptions } from "./options.js";
import { programSettings } from "./settings.js";

const settingsOf = (raw: object) => programSettings(claudeCliOptions.parse(raw));

test("without config there is claude-cli, and no start chooses it by itself", () => {
  expect(settingsOf({})).toEqual([
    {
      name: "claude-cli",
      command: "claude",
      args: [],
      passEnv: [],
      models: ["sonnet", "opus", "haiku"],
      isConfigured: false,
    },
  ]);
});

test.for([
  { name: "claude_cli", raw: { claude_cli: { command: "/opt/claude", args: ["--x"], models: ["opus"] } } },
  {
    name: "providers",
    raw: {
      providers: { "claude-cli": { api: "claude-cli", command: "/opt/claude", args: ["--x"], models: ["opus"] } },
    },
  },
])("takes the program from $name", ({ raw }) => {
  expect(settingsOf(raw)).toEqual([
    { name: "claude-cli", command: "/opt/claude", args: ["--x"], passEnv: [], models: ["opus"], isConfigured: true },
  ]);
});

test("adds a provider for each further program, and leaves other vendors' entries alone", () => {
  const providers = {
    gateway: { api: "openai-chat", base_url: "https://llm.example/v1" },
    work: { api: "claude-cli", pass_env: ["AWS_REGION"] },
  };
  expect(settingsOf({ providers }).map(({ name, passEnv }) => [name, passEnv])).toEqual([
    ["claude-cli", []],
    ["work", ["AWS_REGION"]],
  ]);
});

test.for([
  { raw: { claude_cli: { command: "./claude" } }, want: "must be the name of a program on PATH, or an absolute path" },
  { raw: { claude_cli: { pass_env: ["A-B"] } }, want: "must be the name of an environment variable" },
  {
    raw: { claude_cli: {}, providers: { "claude-cli": {} } },
    want: "says the same as providers.claude-cli: keep one of them",
  },
  {
    raw: { providers: { work: { api: "claude-cli", command: 1 } } },
    want: "Invalid input: expected string, received number",
  },
])("refuses what it cannot use: $want", ({ raw, want }) => {
  expect(claudeCliOptions.safeParse(raw).error?.issues.map(({ message }) => message)).toEqual([want]);
});
