import { sha256 } from "@quire/core/host";
import type { Block, Config, Message, ModelRef, ProviderRequest, ToolCall, ToolResult } from "@quire/core";
import { oddSchemas, oddToolNames } from "./odd-tools.js";
import { seededRandom } from "./seeded-random.js";
import type { SeededRandom } from "./seeded-random.js";

/** A word that occurs once in a random conversation, so that a test can look for it in what was made of it. */
export interface ConversationMark {
  readonly word: string;
  readonly kind: "user" | "assistant" | "context" | "tail" | "call" | "result" | "image" | "file" | "thinking";
  /** The whole text that holds it, of the kinds that are texts. */
  readonly text?: string;
  /** Of images and files. */
  readonly mime?: string;
  /** Of thinking: whose it is, and whether it is signed. */
  readonly provider?: string;
  readonly isSigned?: boolean;
}

export interface RandomConversation {
  readonly request: ProviderRequest;
  readonly marks: readonly ConversationMark[];
}

export interface RandomConversationOptions {
  readonly model: ModelRef;
  /** Whose thinking it holds; the model's own provider among them by default. */
  readonly providers?: readonly [string, ...string[]];
  /** Messages at most; 40 by default. */
  readonly maxMessages?: number;
}

/**
 * A request as no user would write it and as sessions come to hold them: every kind of block, thinking of several
 * providers, parallel calls, results out of order, twice, too late or never, aborted answers, empty texts, context
 * messages anywhere, ids and tool names that no vendor takes. Equal seeds give equal requests.
 */
export function randomConversation(seed: number, options: RandomConversationOptions): RandomConversation {
  const random = seededRandom(seed);
  const maker = new ConversationMaker(random, options);
  const length = 1 + random.integer(options.maxMessages ?? 40);
  while (maker.messages.length < length) maker.addStep();
  const text = "You are a test.\n\nBe kind.\n";
  const hasTools = random.chance(85);
  return {
    request: {
      model: options.model,
      system: { text, regions: [{ kind: "session", start: 0, end: text.length, hash: sha256(text) }] },
      tools: hasTools ? maker.tools : [],
      messages: maker.messages,
      tail: random.chance(20) ? maker.text("tail") : "",
      cacheKey: random.chance(50) ? `key-${"x".repeat(random.integer(90))}` : "",
      params: random.pick([{}, {}, { maxTokens: 900, temperature: 0.4, effort: "low" }, { thinking: 2048 }, oddParams]),
    },
    marks: maker.marks,
  };
}

const oddParams = { thinking: "adaptive", maxTokens: 3, topP: 0.5, stop: ["a", "b"], summary: "auto" };

class ConversationMaker {
  readonly messages: Message[] = [];
  readonly marks: ConversationMark[] = [];
  readonly tools: ProviderRequest["tools"];
  readonly #random: SeededRandom;
  readonly #providers: readonly [string, ...string[]];
  #open: ToolCall[] = [];

  constructor(random: SeededRandom, options: RandomConversationOptions) {
    this.#random = random;
    this.#providers = options.providers ?? [options.model.provider, "another", "a-third"];
    const names = random.shuffle(oddToolNames).slice(0, 1 + random.integer(oddToolNames.length));
    this.tools = names.map((name) => ({ name, description: `Does ${name}.`, input: random.pick(oddSchemas) }));
  }

  addStep(): void {
    const random = this.#random;
    const kind = random.integer(100);
    if (this.#open.length > 0 && kind < 60) this.#addResults();
    else if (kind < 50) this.#add("user", this.#userBlocks("user"));
    else if (kind < 90) this.#addAnswer();
    else this.#add("context", [{ type: "text", text: this.text("context") }]);
  }

  /** A text that holds a mark; at times one without anything to see. */
  text(kind: ConversationMark["kind"]): string {
    const random = this.#random;
    if (random.chance(10)) return random.pick(["", " ", "\n\n"]);
    const word = `mark${this.marks.length}x`;
    const more = "and more ".repeat(random.integer(40));
    const text = random.pick([word, `Grüße, "${word}" 🙂\n`, `${word}\n\n${more}`, `  ${word}`]);
    this.marks.push({ word, kind, text });
    return text;
  }

  #add(role: Message["role"], content: readonly Block[]): void {
    this.messages.push({ id: `m${this.messages.length}`, role, content });
  }

  #addAnswer(): void {
    const random = this.#random;
    const calls = random.chance(50) ? this.#calls() : [];
    const blocks: Block[] = [
      ...(random.chance(50) ? [this.#thinking()] : []),
      ...(random.chance(70) ? [{ type: "text", text: this.text("assistant") } as const] : []),
      ...(random.chance(15) ? [this.#thinking()] : []),
      ...(random.chance(3) ? this.#media() : []),
      ...calls,
      ...(random.chance(10) ? [this.#thinking()] : []),
    ];
    // What was called and never answered before stays open for good: an abort, or a result that comes too late.
    this.#open = random.chance(80) ? [...calls] : [...this.#open, ...calls];
    const stop = random.chance(10) ? "aborted" : calls.length > 0 ? "tools" : "end";
    const content = random.chance(10) ? random.shuffle(blocks) : blocks;
    this.messages.push({ id: `m${this.messages.length}`, role: "assistant", content, stop });
  }

  #calls(): ToolCall[] {
    const random = this.#random;
    return Array.from({ length: 1 + random.integer(4) }, (_, index): ToolCall => {
      const count = this.messages.length;
      const ids = [
        `call_${count}_${index}`,
        `functions.read:${index}`,
        "call_0",
        "",
        `toolu_${"y".repeat(80)}${count}`,
      ];
      const names = [...this.tools.map(({ name }) => name), "a.tool that is gone"];
      const word = this.#mark("call");
      const args = random.pick<Config>([
        { path: word },
        { "filter[name]": word, $top: 3 },
        { $invalid: `{"path": "${word}` },
      ]);
      return { type: "tool-call", id: pickFrom(random, ids), name: pickFrom(random, names), args };
    });
  }

  #addResults(): void {
    const random = this.#random;
    const answered = random.shuffle(this.#open).filter(() => random.chance(85));
    const results = answered.map((call) => this.#result(call));
    if (random.chance(8)) results.push(this.#result({ id: "gone", name: "read" }));
    this.#open = this.#open.filter((call) => !answered.includes(call));
    if (random.chance(50)) this.#add("tool", results);
    else for (const result of results) this.#add("tool", [result]);
    if (results.length === 0) this.#open = [];
  }

  #result({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
    const content = this.#random.chance(10) ? [] : this.#userBlocks("result");
    return { type: "tool-result", id, name, isError: this.#random.chance(20), content };
  }

  #userBlocks(kind: "user" | "result"): Block[] {
    const random = this.#random;
    const texts = Array.from({ length: random.integer(3) }, (): Block => ({ type: "text", text: this.text(kind) }));
    return [...texts, ...(random.chance(25) ? this.#media() : [])];
  }

  #media(): Block[] {
    const random = this.#random;
    if (random.chance(50)) {
      const mime = random.pick(["image/png", "image/jpeg", "image/svg+xml", "image/tiff"]);
      const word = this.#mark("image", { mime });
      return [{ type: "image", mime, base64: Buffer.from(word).toString("base64") }];
    }
    const mime = random.pick(["application/pdf", "text/csv", "application/json", "application/zip"]);
    const word = this.#mark("file", { mime });
    const content = random.chance(10) ? "" : `content of ${word}`;
    return [{ type: "file", mime, name: `${word}.bin`, base64: Buffer.from(content).toString("base64") }];
  }

  #thinking(): Block {
    const random = this.#random;
    const provider = pickFrom(random, this.#providers);
    const isSigned = random.chance(70);
    const text = this.#mark("thinking", { provider, isSigned });
    const signature = random.pick([`sig-${text}`, `rs_${text}:${Buffer.from(text).toString("base64")}`]);
    return { type: "thinking", text, provider, ...(isSigned ? { signature } : {}) };
  }

  #mark(kind: ConversationMark["kind"], rest: Omit<ConversationMark, "word" | "kind"> = {}): string {
    const word = `mark${this.marks.length}x`;
    this.marks.push({ word, kind, ...rest });
    return word;
  }
}

function pickFrom<T>(random: SeededRandom, list: readonly [T, ...T[]] | readonly T[]): T {
  const found = list[random.integer(list.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}
