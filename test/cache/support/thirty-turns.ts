import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startModelServer, type ModelServer, type Reply } from "@quire/testkit";
import { createMachine, type Machine } from "../../support/agent.js";
import { startTalk, type OutputLine } from "./talk.js";
import { weatherPlugin } from "./weather-plugin.js";

export interface Vendor {
  readonly name: string;
  readonly args: readonly string[];
  env(server: ModelServer): Record<string, string>;
}

export interface SessionOptions {
  readonly vendor: Vendor;
  /** 30 by default. */
  readonly turns?: number;
  /** Statements for the set-up of the test's plugin. */
  readonly more?: string;
  /** The user's config.yaml. */
  readonly config?: string;
  /** Without it nothing but the mood changes. */
  readonly isEventful?: boolean;
}

export interface PlayedSession {
  readonly machine: Machine;
  /** Requests as the server saw them, one JSON line each. */
  readonly log: string;
  /** The session's own log. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Everything the command printed. */
  readonly lines: readonly OutputLine[];
  remove(): void;
}

/** About 3 KB of rules, one a line. */
export const rules = Array.from(
  { length: 45 },
  (_, index) => `- Rule ${index}: in folder number ${index} things are done the careful way.`,
);
export const editedRule = "- Rule 20: in folder number 20 things are done the other way.";

/** The day a user has: a server that is late, an edited file, a new skill, another mode, a crash. */
export async function playSession(options: SessionOptions): Promise<PlayedSession> {
  const { vendor, turns = 30, isEventful = true } = options;
  const machine = createMachine({ "AGENTS.md": `${rules.join("\n")}\n`, "notes.md": notes });
  if (options.config !== undefined) writeFileSync(path.join(machine.quireHome, "config.yaml"), options.config);
  const log = path.join(machine.root, "requests.jsonl");
  const script: Reply[] = [];
  const server = await startModelServer({ log, replies: () => script.shift() ?? "There is nothing more to say." });
  const plugin = machine.write("elsewhere/weather.mjs", weatherPlugin(options.more));
  const write = (file: string, text: string) => writeFileSync(path.join(machine.project, file), text);
  const start = (...args: string[]) =>
    startTalk(machine, [...vendor.args, "--plugin", plugin, ...args], vendor.env(server));
  const lines: OutputLine[] = [];
  let talk = start();
  try {
    for (let turn = 1; turn <= turns; turn++) {
      write("MOOD.md", `The sky of turn ${turn} is ${["blue", "grey", "red"][turn % 3]}.\n`);
      if (isEventful && turn === 3) write("READY", "");
      if (isEventful && turn === 5) write("AGENTS.md", `${rules.with(20, editedRule).join("\n")}\n`);
      if (isEventful && turn === 6) {
        mkdirSync(path.join(machine.project, ".agents/skills/release"), { recursive: true });
        write(".agents/skills/release/SKILL.md", skill);
      }
      if (isEventful && turn === 7) lines.push(...(await talk.say("/permissions edit")));
      if (isEventful && turn === 15) {
        script.push(...repliesOf(turn).slice(0, -1), {
          text: longText(turn),
          fault: { kind: "stall", afterEvents: 5 },
        });
        await talk.sayUntil(`This is turn ${turn}; go on.`, ({ type }) => type === "text");
        const session = talk.session();
        await talk.kill();
        script.length = 0;
        talk = start("--resume", session);
      }
      script.push(...repliesOf(turn));
      lines.push(...(await talk.say(`This is turn ${turn}; go on with number ${turn}.`)));
    }
    await talk.end();
    const file = path.join(machine.quireHome, "sessions", `${talk.session()}.jsonl`);
    const records = readFileSync(file, "utf8").trimEnd().split("\n");
    return {
      machine,
      log,
      records: records.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
      lines,
      remove: () => rmSync(machine.root, { recursive: true, force: true }),
    };
  } finally {
    await talk.kill();
    await server.close();
  }
}

/** Reads, looks at the weather once it is there, answers; every fifth turn only answers. */
function repliesOf(turn: number): readonly Reply[] {
  const answer: Reply = { text: longText(turn) };
  if (turn % 5 === 0) return [answer];
  const read: Reply = {
    text: `I read the notes for turn ${turn}.`,
    toolCalls: [{ name: "read", args: { path: "notes.md", offset: turn, limit: 5 } }],
  };
  const look: Reply = {
    thinking: `Turn ${turn} wants the weather.`,
    toolCalls: [{ name: "use_tool", args: { name: "weather/now", args: { city: `City ${turn}` } } }],
  };
  return turn >= 3 && turn % 2 === 0 ? [read, look, answer] : [read, answer];
}

function longText(turn: number): string {
  return `Of turn ${turn} I can say this. ${"It went as it should, and the next step follows from it. ".repeat(6)}`;
}

const notes = Array.from({ length: 60 }, (_, index) => `Note ${index}: something that was worth a line.\n`).join("");
const skill =
  "---\nname: release\ndescription: Makes a release of the project, step by step.\n---\nRun the tests first.\n";
