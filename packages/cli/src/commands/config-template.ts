/** What `agent config init` writes: every line is a comment, so it changes nothing until it is edited. */
export const configTemplate = `# Config of Quire. \`agent config check\` reads it, \`agent config schema\` is its JSON Schema.
# Project files (.quire/config.yaml) win over this one where you trust them; flags win over both.

# model: anthropic/claude-sonnet-5-5      # provider/model; without it the first key in the environment decides
# permissions:
#   mode: ask                             # ask | edit | plan | full
#   allow: ["bash(npm test*)"]
#   deny: ["bash(git push*)"]

# instructions: Answer in French.         # your own text in every prompt

# sections:                               # \`agent sections list\` shows their names
#   base/identity: You are terse.         # replaces a section
#   base/rules: { append: Prefer small diffs. }
#   memory/files: false                   # leaves one out

# plugins:                                # order here ranks plugins
#   "./plugins/focus.ts": { options: { tone: dry } }
# disable: [environment]

# tools:
#   only: [read, edit, bash]

# providers:
#   gateway: { api: openai-chat, base_url: "https://llm.example/v1", api_key_env: GATEWAY_KEY, models: [big] }
`;
