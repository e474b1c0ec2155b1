import { expect, test } from "vitest";
import type { PluginHost, SessionEvent } from "@quire/core";
import { collect, openBed, plugin, textOf } from "../support/core-bed.js";

async function bedWith(setup: (host: PluginHost) => void) {
  return await openBed({ plugins: [plugin("own", setup)] });
}

test("userInput changes the words before they are stored, one tap after the other", async () => {
  const bed = await bedWith((host) => {
    host.hooks.userInput.tap(({ text }) => ({ text: `${text}!` }));
    host.hooks.userInput.tap(async ({ text }) => Promise.resolve({ text: text.toUpperCase() }));
    host.hooks.userInput.tap(() => undefined);
  });
  await bed.send("hello");
  expect(textOf(bed.session.messages[0])).toBe("HELLO!");
  expect(JSON.stringify(bed.log.records)).not.toContain('"hello"');
});

test("handled input ends the turn without a request and without a message", async () => {
  const bed = await bedWith((host) =>
    host.hooks.userInput.tap(({ text }) => (text === "mine" ? { text, handled: true } : undefined)),
  );
  expect(await bed.send("mine")).toEqual({
    text: "",
    stop: "end",
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  });
  expect(bed.provider.requests).toEqual([]);
  expect(bed.session.messages).toEqual([]);
  expect(bed.log.records.map(({ record }) => record["type"])).toContain("handled-input");
});

test("a tap that throws, or returns null, leaves the words as they are and is reported", async () => {
  const bed = await bedWith((host) => {
    host.hooks.userInput.tap(() => {
      throw new Error("tap broke");
    });
    host.hooks.userInput.tap(() => null as never);
  });
  await bed.send("hello");
  expect(textOf(bed.session.messages[0])).toBe("hello");
  expect(bed.codes()).toEqual(["hook-failed", "hook-null"]);
});

test("words that turns start with are not the user's: no userInput", async () => {
  const heard: string[] = [];
  let start = (): Promise<unknown> => Promise.resolve();
  const bed = await bedWith((host) => {
    host.hooks.userInput.tap(({ text }) => void heard.push(text));
    start = () => host.turns.start({ prompt: "/by-plugin" }, new AbortController().signal).result;
  });
  await bed.send("by user");
  await start();
  expect(heard).toEqual(["by user"]);
});

const commands = (ran: string[]) => (host: PluginHost) => {
  host.commands.register({
    name: "own/review",
    description: "Reviews",
    run: (args) => `Please review ${args}.`,
  });
  host.commands.register({
    name: "own/quiet",
    description: "Does its work and says nothing",
    run: (args) => void ran.push(args),
  });
};

test("a line that begins with a command becomes what the command returns", async () => {
  const bed = await bedWith(commands([]));
  await bed.send("/review  the last\ntwo commits ");
  await bed.send("/own/review all");
  const words = bed.session.messages.filter(({ role }) => role === "user").map(textOf);
  expect(words).toEqual(["Please review the last\ntwo commits.", "Please review all."]);
});

test("a command that returns nothing ends the turn without a request", async () => {
  const ran: string[] = [];
  const bed = await bedWith(commands(ran));
  expect(await bed.send("/quiet now")).toMatchObject({ stop: "end", text: "" });
  expect(ran).toEqual(["now"]);
  expect(bed.provider.requests).toEqual([]);
  expect(bed.session.messages).toEqual([]);
});

test.for(["/unknown thing", "/usr/bin/env is a path", " /review with a space", "see /review", "/"])(
  "%j is no command and goes to the model as it is",
  async (text) => {
    const bed = await bedWith(commands([]));
    await bed.send(text);
    expect(textOf(bed.provider.requests[0]?.messages[0])).toBe(text);
  },
);

test("two commands of one short name: the first stays, and the report prints the order that changes it", async () => {
  const command = (name: string, says: string) => ({ name, description: "Goes", run: () => says });
  const bed = await openBed({
    plugins: [
      plugin("first", (host) => host.commands.register(command("first/go", "by first"))),
      plugin("second", (host) => host.commands.register(command("second/go", "by second"))),
    ],
  });
  await bed.send("/go");
  expect(textOf(bed.session.messages[0])).toBe("by first");
  expect(bed.host.diagnostics).toEqual([
    expect.objectContaining({
      code: "name-duplicate",
      plugin: "second",
      message: expect.stringMatching(/"first".*"second"/),
      fix: expect.stringContaining('plugins: { "second": {}, "first": {} }'),
    }),
  ]);
});

test("a turn's diagnostics are among its events, those of another turn are not", async () => {
  let isBroken = true;
  const bed = await bedWith((host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: { volatile: "changes with every turn", deliver: "prefix" },
      compute() {
        if (isBroken) throw new Error("broken");
        return "fine";
      },
    }),
  );
  const diagnosticsOf = async () =>
    (await collect(bed.session.send("x", new AbortController().signal))).flatMap((event) =>
      event.type === "diagnostic" ? [event.diagnostic.code] : [],
    );
  expect(await diagnosticsOf()).toEqual(["section-failed"]);
  isBroken = false;
  // It stands in the prefix again, which has its price.
  expect(await diagnosticsOf()).toEqual(["cache-break"]);
});

test("a session is announced when it begins, is resumed, forked, cleared and closed", async () => {
  const heard: string[] = [];
  const hear = ({ reason, session, cwd }: SessionEvent) => void heard.push(`${reason} ${session.depth} ${cwd}`);
  const bed = await bedWith((host) => {
    host.hooks.sessionStart.tap(hear);
    host.hooks.sessionEnd.tap(hear);
  });
  await bed.send();
  await bed.session.clear();
  const { id } = bed.session.info;
  await bed.host.open({ cwd: "/repo", resume: id });
  await bed.host.open({ cwd: "/repo", fork: id });
  await bed.session.close();
  await bed.session.close();
  expect(heard).toEqual(["new 0 /repo", "clear 0 /repo", "resume 0 /repo", "fork 0 /repo", "exit 0 /repo"]);
});

test("a provider's keys are hidden from sections, taps and children", async () => {
  const seen: unknown[] = [];
  const bed = await openBed({
    env: { SECRET_KEY: "s3cr3t", EDITOR: "vi" },
    environment: () => ({ SECRET_KEY: "s3cr3t", EDITOR: "vi" }),
    plugins: [
      plugin("own", (host) => {
        host.providers.wrap("scripted", (previous) => ({ ...previous, secrets: ["SECRET_KEY"] }));
        host.sections.register({
          name: "own/it",
          slot: "rules",
          cache: "memoized",
          compute: (context) => `${context.env("SECRET_KEY")} ${context.env("EDITOR")}`,
        });
        host.hooks.beforeAgentStart.tap((start) => void seen.push(start.env("SECRET_KEY"), start.childEnv()));
      }),
    ],
  });
  expect((await bed.session.prompt()).text).toBe("undefined vi");
  expect(seen).toEqual([undefined, { EDITOR: "vi" }]);
});

test("disposing the host announces the end of its sessions", async () => {
  const heard: string[] = [];
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.hooks.sessionEnd.tap(({ reason }) => void heard.push(reason)))],
  });
  await bed.host.dispose();
  expect(heard).toEqual(["exit"]);
});
