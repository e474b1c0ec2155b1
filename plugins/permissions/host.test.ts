import { definePlugin } from "@quire/core";
import type { Config, Message } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import permissions from "./index.js";

/** A shell that runs nothing, under the name that rules know. */
const shell = definePlugin({
  name: "tools-shell",
  apiVersion: 1,
  setup(host) {
    host.tools.register({
      name: "tools-shell/bash",
      description: "Runs a command.",
      effect: "run",
      input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
      execute: () => "it ran",
    });
  },
});

const run = (command: string) => ({ toolCalls: [{ name: "bash", args: { command } }] });

interface Scene {
  readonly commands: readonly string[];
  readonly config?: Config;
  readonly answers?: readonly string[];
}

async function play({ commands, config = {}, answers }: Scene) {
  const provider = fakeProvider({ replies: [...commands.map(run), "done"] });
  const questions: string[] = [];
  const ask = (question: string): Promise<string | null> => {
    questions.push(question);
    return Promise.resolve(answers?.[questions.length - 1] ?? null);
  };
  const host = await createTestHost({
    plugins: [shell, permissions],
    provider,
    config,
    ...(answers === undefined ? {} : { ask }),
  });
  const { stop } = await host.session.send("go", AbortSignal.timeout(20_000)).result;
  const results = host.session.messages.flatMap(resultsOf);
  const prompt = await host.session.prompt();
  const diagnostics = host.diagnostics;
  await host.dispose();
  return { stop, results, questions, told: JSON.stringify(provider.requests[0]?.messages), prompt, diagnostics };
}

function resultsOf(message: Message): readonly string[] {
  return message.content.flatMap((block) =>
    block.type === "tool-result" ? [block.content.map((part) => (part.type === "text" ? part.text : "")).join("")] : [],
  );
}

test("without a user to ask, the call is refused, the model is told why, and the turn ends well", async () => {
  const { stop, results, told } = await play({ commands: ["npm test"] });
  expect(stop).toBe("end");
  expect(results).toHaveLength(1);
  expect(results[0]).toContain('mode "ask" asks before a call that runs commands');
  expect(results[0]).toContain("--permission-mode full");
  expect(told).toContain("nobody is here to be asked");
});

test("an answer for the session is asked for once", async () => {
  const { results, questions } = await play({
    commands: ["npm test", "npm test", "npm run other"],
    answers: ["s", "n"],
  });
  expect(results.slice(0, 2)).toEqual(["it ran", "it ran"]);
  expect(results[2]).toContain("the answer was no");
  expect(questions).toHaveLength(2);
  expect(questions[0]).toContain('(mode "ask" asks before a call that runs commands)');
});

test("rules of config decide, and deny is final", async () => {
  const config = { permissions: { mode: "full", deny: ["bash(git push*)"] } };
  const { results, prompt } = await play({ commands: ["npm test", "npm test && git push"], config });
  expect(results[0]).toBe("it ran");
  expect(results[1]).toContain('the user\'s rule deny "bash(git push*)" forbids it');
  const section = prompt.sections.find(({ name }) => name === "permissions/policy");
  expect(section?.content).toMatchObject({ text: expect.stringMatching(/^Permission mode: full\./) });
  expect(prompt.text).not.toContain("Permission mode");
});
