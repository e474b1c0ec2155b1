import { randomUUID } from "node:crypto";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { HostTool, Prompt } from "../contracts/host.js";
import type { ContextItem, Pieces, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { Audience, Profile, SectionContext } from "../contracts/section.js";
import type { AgentStart, Trigger, TurnContext } from "../contracts/turn.js";
import { QuireError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { deriveRegions } from "../layout/regions.js";
import { toolInputSchema } from "../registries/tool-input.js";
import { contentText } from "../sections/content.js";
import type { Memo } from "../sections/memo.js";
import { resolveSections } from "../sections/resolve.js";
import { sha256 } from "../text/sha256.js";
import { narrowTools } from "../tools/tool-set.js";
import type { SessionState } from "../turns/session-state.js";
import { assemble, type Assembly } from "./assemble.js";
import { contextMessage, renderContextItem } from "./context-message.js";
import { contextItem, pendingContext, toldByHistory } from "./told.js";
import { applyTurnEdits, createTurnEdits, turnEditItem, turnEditVerdict, type TurnEditRecord } from "./turn-edits.js";

export interface PrepareInput {
  readonly trigger: Trigger;
  readonly prompt: string;
  readonly audience: Audience;
  readonly profile: Profile | undefined;
  /** Replaces the whole prefix. */
  readonly system: string | undefined;
  /** Names of the only tools this turn may use. */
  readonly tools: readonly string[] | undefined;
  readonly memo: Memo;
  readonly context: TurnContext;
}

export interface Prepared {
  readonly prompt: Prompt;
  /** What has to be told with the user's words. */
  readonly message: Message | undefined;
  /** Of this turn, those that are off included. */
  readonly tools: readonly HostTool[];
}

/**
 * From plan to request: the one function behind a turn, `agent prompt` and every other view of a prompt.
 * `session.messages` end with the user's words where there are any.
 * @throws {QuireError} A required section or the layout failed, or, when strict, the first error of all.
 */
export async function prepareTurn(core: HostCore, session: SessionState, input: PrepareInput): Promise<Prepared> {
  const missing = core.missing[0];
  if (missing !== undefined) throw new QuireError(missing);
  const diagnostics: Diagnostic[] = [...core.plan.diagnostics];
  const report = (found: Diagnostic) => {
    diagnostics.push(found);
    core.report(found);
  };
  const captured = narrowTools(core.tools.declared(), input.tools);
  const resolution = await resolve(core, input, captured);
  for (const found of resolution.diagnostics) report(found);

  const start = createAgentStart(core, input, resolution.sections);
  await core.bus.tell("beforeAgentStart", start.event);
  const tools = captured.map((tool) => {
    const why = start.off.get(tool.name) ?? start.off.get(tool.fullName);
    return why === undefined || tool.off !== undefined ? tool : { ...tool, off: why };
  });
  const isInPlace = (edit: TurnEditRecord) => edit.bust !== undefined || core.config.prefix === "rebuilt";
  const inPlace = start.edits.filter(isInPlace);
  for (const edit of start.edits.filter((one) => one.bust !== undefined)) report(bustNotice(edit));

  const planned = new Map(core.plan.sections.map((section) => [section.name, section]));
  const sections = applyTurnEdits(resolution.sections, inPlace);
  const assembly = assemble(core.layout, core.layoutOwner, sections, planned, core.config.maxTokens);
  for (const found of assembly.diagnostics) report(found);
  const pieces = await finalPieces(core, input, assembly);

  const extra: ContextItem[] = [
    ...start.edits.filter((edit) => !isInPlace(edit)).map(turnEditItem),
    ...[...start.off].map(([tool, why]) =>
      contextItem({ op: "remove", cause: `tool ${tool} off`, content: { kind: "text", text: why } }),
    ),
    ...start.added,
  ];
  const items = pendingContext(assembly.deltas, toldByHistory(session.messages), extra);
  const message = contextMessage(core.layout, core.layoutOwner, items);
  const text = pieces.map((piece) => piece.text).join("");
  const regions = deriveRegions(pieces, assembly.prefix);
  const messages = message === undefined ? session.messages : [...session.messages, message];
  const request: ProviderRequest = {
    model: session.model,
    system: { text, regions },
    tools: captured
      .filter((tool) => tool.off === undefined)
      .map(({ name, spec }) => ({ name, description: spec.description, input: toolInputSchema(spec) })),
    messages,
    tail: assembly.tail.map((section) => contentText(section.content)).join("\n\n"),
    cacheKey: sha256(JSON.stringify([session.model, text, session.info.id])),
    params: {},
  };
  if (core.options.strict === true) assertNoError([...core.diagnostics, ...diagnostics]);
  const prompt: Prompt = {
    text,
    layout: core.layout.name,
    pieces,
    regions,
    edits: [...core.plan.edits, ...start.edits.map(turnEditVerdict)],
    sections: [...assembly.prefix, ...assembly.deltas, ...assembly.tail],
    context: items.map((item) => ({ ...item, text: renderContextItem(core.layout, core.layoutOwner, item) })),
    diagnostics,
    request,
    tools,
    leftOut: [...core.plan.leftOut, ...resolution.leftOut, ...assembly.leftOut],
  };
  return { prompt, message, tools };
}

async function resolve(
  core: HostCore,
  input: PrepareInput,
  tools: readonly HostTool[],
): ReturnType<typeof resolveSections> {
  if (input.system !== undefined) return { sections: [], leftOut: [], diagnostics: [] };
  const facts = core.facts(input.context.cwd);
  const about: Omit<SectionContext, keyof typeof facts | "read" | "list"> & Pick<SectionContext, "platform" | "shell"> =
    {
      session: input.context.session,
      audience: input.audience,
      ...(input.profile === undefined ? {} : { profile: input.profile }),
      model: input.context.model,
      platform: facts.platform,
      shell: facts.shell,
      today: core.today(),
      tools: tools.filter((tool) => tool.off === undefined).map(visibleTool),
    };
  const { entering } = core.options;
  return await resolveSections(core.plan.sections, {
    facts,
    files: core.options.files,
    about,
    memo: input.memo,
    globalMemo: core.globalMemo,
    timeScale: core.timeScale,
    signal: input.context.signal,
    ...(entering === undefined ? {} : { entering }),
  });
}

/** What a prompt may know of a tool. */
function visibleTool({ name, spec }: HostTool): SectionContext["tools"][number] {
  const { snippet, guidelines, effect } = spec;
  return {
    name,
    effect,
    ...(snippet === undefined ? {} : { snippet }),
    ...(guidelines === undefined ? {} : { guidelines }),
  };
}

interface Start {
  readonly event: AgentStart;
  readonly edits: readonly TurnEditRecord[];
  readonly added: readonly ContextItem[];
  readonly off: ReadonlyMap<string, string>;
}

/** The event of `beforeAgentStart`. Its getters are read once per tap, so each tap sees the edits of earlier ones. */
function createAgentStart(core: HostCore, input: PrepareInput, sections: readonly ResolvedSection[]): Start {
  const edits: TurnEditRecord[] = [];
  const added: ContextItem[] = [];
  const off = new Map<string, string>();
  const event: AgentStart = {
    ...input.context,
    trigger: input.trigger,
    prompt: input.prompt,
    get sections() {
      return applyTurnEdits(sections, edits);
    },
    get edits() {
      const author = core.entered();
      return createTurnEdits(edits, () => author);
    },
    addContext: (text, label) =>
      void added.push(contextItem({ op: "add", cause: label ?? "note", content: { kind: "text", text } })),
    disableTool: (name, why) => void off.set(name, why),
  };
  return { event, edits, added, off };
}

async function finalPieces(core: HostCore, input: PrepareInput, assembly: Assembly): Promise<Pieces> {
  const host: Origin = { kind: "host" };
  if (input.system !== undefined) return [{ text: input.system, from: host }];
  const pieces = await core.bus.change("sectionsAssembled", assembly.pieces, input.context);
  return pieces
    .filter((piece) => piece.text !== "")
    .map((piece) => (piece.from === undefined ? { ...piece, from: host } : piece));
}

function bustNotice(edit: TurnEditRecord): Diagnostic {
  const { section, by } = turnEditVerdict(edit);
  return {
    code: "cache-break",
    level: "info",
    message: `Section "${section}" stands changed for this turn: ${edit.bust ?? ""}`,
    section,
    ...(by.plugin === undefined ? {} : { plugin: by.plugin }),
  };
}

function assertNoError(diagnostics: readonly Diagnostic[]): void {
  const first = diagnostics.find((diagnostic) => diagnostic.level === "error");
  if (first !== undefined)
    throw new QuireError({ ...first, message: `${first.message} (strict: any error stops the turn)` });
}

/** A user's words as a message. */
export function userMessage(text: string): Message {
  return { id: randomUUID(), role: "user", content: [{ type: "text", text }] };
}
