import { expect, test } from "vitest";
import { collectEvents, providerRequest } from "@quire/testkit";
import { ProviderError } from "@quire/core";
import { PrivateFolders } from "./private-folders.js";
import { claudeCliProvider } from "./provider.js";
import { answerLines, eventLine, plainBase, standIn } from "./stand-in.fixture.js";
import type { Step } from "./stand-in.fixture.js";

const model = { provider: "claude-cli", id: "claude-sonnet-4-5" };
const signal = (): AbortSignal => AbortSignal.timeout(20_000);

async function failureOf(steps: readonly Step[]): Promise<ProviderError> {
  const { provider } = await standIn(steps, {
    environment: { ...process.env, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-secret" },
  });
  const error: unknown = await collectEvents(
    provider.stream(provider.project(providerRequest({ model })), signal()),
  ).catch((thrown: unknown) => thrown);
  if (!(error instanceof ProviderError)) throw new Error(`no ProviderError: ${String(error)}`);
  return error;
}

/** What the program prints when the vendor refuses: a message of its own, and a result with the status. */
function refusal(text: string, kind: string, status: number | null): Step[] {
  const message = { model: "<synthetic>", content: [{ type: "text", text }] };
  return [
    { line: { type: "system", subtype: "init" } },
    { line: { type: "assistant", message, error: kind, parent_tool_use_id: null } },
    { line: { type: "result", subtype: "success", is_error: true, api_error_status: status, result: text } },
    { exit: 1 },
  ];
}

test.for([
  {
    name: "not logged in",
    steps: refusal("Not logged in · Please run /login", "authentication_failed", null),
    want: { code: "claude-cli-login", message: /is not logged in: Not logged in/, fix: /log in with \/login/ },
    status: 401,
  },
  {
    name: "a login that ran out",
    steps: refusal("API Error: 401 OAuth token has expired", "unknown", 401),
    want: { code: "claude-cli-login", message: /expired/, fix: /CLAUDE_CODE_OAUTH_TOKEN/ },
    status: 401,
  },
  {
    name: "an overloaded vendor",
    steps: refusal("API Error: 529 Overloaded", "server_error", 529),
    want: { code: "provider-refused", message: /answered 529/, fix: /Try again later/ },
    status: 529,
  },
  {
    name: "a model that is not there",
    steps: refusal("There's an issue with the selected model", "model_not_found", null),
    want: { code: "provider-refused", message: /answered 404/, fix: /claude-sonnet-4-5/ },
    status: 404,
  },
  {
    name: "a conversation that is too long",
    steps: refusal("Prompt is too long", "invalid_request", 400),
    want: { code: "context-overflow", message: /longer than the model takes/, fix: /\/compact/ },
    status: 400,
  },
  {
    name: "a limit that is told in the middle of an answer",
    steps: [
      ...answerLines([{ type: "text", text: "Hello world" }]).slice(0, 4),
      ...refusal(
        'API Error: {"type":"error","error":{"type":"rate_limit_error","message":"Slow down"},"request_id":"r"}',
        "unknown",
        null,
      ),
    ],
    want: { code: "provider-refused", message: /claude-cli answered 429: Slow down/, fix: /Wait/ },
    status: 429,
  },
  {
    name: "a broken connection",
    steps: refusal("API Error: Connection dropped (ECONNRESET)", "unknown", null),
    want: { code: "provider-connection", message: /ECONNRESET/, fix: /network/ },
    status: undefined,
  },
  {
    name: "an option that an old program does not know",
    steps: [{ stderr: "error: unknown option '--tools'\n" }, { exit: 1 }] as Step[],
    want: { code: "claude-cli-failed", message: /exit code 1.*unknown option '--tools'/, fix: /update the program/ },
    status: 400,
  },
  {
    name: "an end in the middle of the answer",
    steps: [...answerLines([{ type: "text", text: "Hello world" }]).slice(0, 4), { exit: 0 }] as Step[],
    want: { code: "claude-cli-failed", message: /exit code 0 before its answer was whole/, fix: /Try again/ },
    status: undefined,
  },
  {
    name: "an answer that begins anew",
    steps: [eventLine({ type: "message_start" }), eventLine({ type: "message_start" })],
    want: { code: "provider-connection", message: /began anew/, fix: /Try again/ },
    status: undefined,
  },
  {
    name: "an event of the wrong shape",
    steps: [eventLine({ type: "content_block_start", index: 0, content_block: { type: "text" } })],
    want: { code: "provider-connection", message: /holds nothing where a text belongs/, fix: /update the program/ },
    status: undefined,
  },
  {
    name: "an end inside a block",
    steps: [
      eventLine({ type: "content_block_start", index: 0, content_block: { type: "text", text: "a" } }),
      eventLine({ type: "message_stop" }),
    ],
    want: { code: "provider-connection", message: /ended inside a block/, fix: /Try again/ },
    status: undefined,
  },
])("says clearly what to do about $name", async ({ steps, want, status }) => {
  const { diagnostic, failure } = await failureOf(steps);
  expect(diagnostic.code).toBe(want.code);
  expect(diagnostic.message).toMatch(want.message);
  expect(diagnostic.fix).toMatch(want.fix);
  expect(failure.status).toBe(status);
});

test("names the server that cannot be reached when it is not the vendor's own", async () => {
  const environment = { ...process.env, ANTHROPIC_BASE_URL: "http://gateway.example:8080" };
  const { provider } = await standIn(refusal("API Error: Unable to connect to API (ECONNREFUSED)", "unknown", null), {
    environment,
  });
  const stream = provider.stream(provider.project(providerRequest({ model })), signal());
  await expect(collectEvents(stream)).rejects.toMatchObject({
    diagnostic: {
      message: "claude-cli (gateway.example:8080) broke off: API Error: Unable to connect to API (ECONNREFUSED)",
    },
  });
});

test("says when the subscription's limit ends", async () => {
  const resetsAt = Math.round(Date.now() / 1000) + 3600;
  const limit = { line: { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } } };
  const { failure, diagnostic } = await failureOf([limit, ...refusal("You've hit your limit", "rate_limit", 429)]);
  expect(failure.status).toBe(429);
  expect(failure.retryAfterMs).toBeGreaterThan(3_500_000);
  expect(diagnostic.fix).toMatch(/Wait until the limit ends/);
});

test("names the way to get a program that is missing", async () => {
  const settings = {
    name: "claude-cli",
    command: "quire-no-such-program",
    args: [],
    passEnv: [],
    models: [],
    isConfigured: true,
  };
  const place = { folders: new PrivateFolders(), base: () => plainBase, environment: () => process.env };
  const provider = claudeCliProvider(settings, place);
  const stream = provider.stream(provider.project(providerRequest({ model })), signal());
  await expect(collectEvents(stream)).rejects.toMatchObject({
    diagnostic: {
      code: "claude-cli-missing",
      message: 'claude-cli needs the Claude CLI, and there is no program "quire-no-such-program"',
      fix: expect.stringContaining("npm install -g @anthropic-ai/claude-code") as string,
    },
    failure: { status: 404 },
  });
});

test("says when a program may not be executed", async () => {
  const settings = { name: "claude-cli", command: "/", args: [], passEnv: [], models: [], isConfigured: true };
  const place = { folders: new PrivateFolders(), base: () => plainBase, environment: () => process.env };
  const provider = claudeCliProvider(settings, place);
  const stream = provider.stream(provider.project(providerRequest({ model })), signal());
  await expect(collectEvents(stream)).rejects.toMatchObject({
    diagnostic: { code: "claude-cli-failed", message: expect.stringContaining("EACCES") as string },
  });
});

test("says which plugin is missing when nobody projects to Anthropic Messages", () => {
  const settings = { name: "claude-cli", command: "claude", args: [], passEnv: [], models: [], isConfigured: true };
  const place = { folders: new PrivateFolders(), base: () => undefined, environment: () => process.env };
  const provider = claudeCliProvider(settings, place);
  expect(() => provider.project(providerRequest({ model }))).toThrow(/Switch the plugin provider-anthropic on/);
});

test("shows no login in what the program complains of", async () => {
  const { message } = await failureOf([{ stderr: "bad token sk-ant-secret here" }, { exit: 2 }]);
  expect(message).toContain("bad token [key] here");
});
