import { randomUUID } from "node:crypto";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { HostTool, Prompt } from "../contracts/host.js";
import type { ContextItem, Pieces, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { AgentStart, TurnContext } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { notice, QuireError } from "../errors.js";
import { frozen } from "../freeze.js";
import type { HostCore } from "../host-core.js";
import { piecesText } from "../layout/pieces.js";
import { deriveRegions } from "../layout/regions.js";
import { toolInputSchema } from "../registries/tool-input.js";
import { contentText } from "../sections/content.js";
import { resolveSections, type Resolution } from "../sections/resolve.js";
import { sha256 } from "../text/sha256.js";
import type { SessionState } from "../turns/session.js";
import type { TurnInput } from "../turns/turn.js";
import { assemble } from "./assemble.js";
import { contextItem, contextMessage, renderContextItem } from "./context-message.js";
import { pendingContext, turnCause } from "./told.js";
import { applyTurnEdits, createTurnEdits, turnEditItem, turnEditVerdict, type TurnEditRecord } from "./turn-edits.js";

export interface Prepared {
  readonly prompt: Prompt;
  /** What has to be told with the user's words. */
  readonly message: Message | undefined;
  /** A tool as this turn may use it: off when it may not. */
  judge(tool: HostTool): HostTool;
}

/**
 * From plan to request: the one function behind a turn, `agent prompt` and every other view of a prompt.
 * `session.messages` end with the user's words where there are any.
 * @throws {QuireError} A required section or the layout failed, or, when strict, the first error of all.
 */
export async function prepareTurn(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  context: TurnContext,
): Promise<Prepared> {
  const { layout, layoutOwner, plan, entering } = core;
  if (core.missing[0] !== undefined) throw new QuireError(core.missing[0]);
  const diagnostics: Diagnostic[] = [...plan.diagnostics];
  const report = (found: Diagnostic): void => {
    diagnostics.push(found);
    core.report(found);
  };
  const chosen = core.tools.snapshot().map((tool) => narrowed(tool, input.tools));
  const resolution = await resolve(core, session, input, context, chosen);
  resolution.diagnostics.forEach(report);

  const start = createAgentStart(core, input, context, resolution.sections);
  await core.bus.tell("beforeAgentStart", start.event);
  const judge = (tool: HostTool): HostTool => {
    const why = start.off.get(tool.name) ?? start.off.get(tool.fullName);
    const mine = narrowed(tool, input.tools);
    return why === undefined || mine.off !== undefined ? mine : { ...mine, off: why };
  };
  const isInPlace = (edit: TurnEditRecord) => edit.bust !== undefined || core.config.prefix === "rebuilt";
  for (const { section, by, bust } of start.edits.filter((edit) => edit.bust !== undefined)) {
    const message = `Section "${section}" stands changed for this turn: ${bust}`;
    report(notice("cache-break", message, { section, plugin: by.plugin }));
  }
  const sections = applyTurnEdits(resolution.sections, start.edits.filter(isInPlace));
  const assembly = await entering.within(layoutOwner, () => assemble(core, sections));
  assembly.diagnostics.forEach(report);
  const pieces = await finalPieces(core, input, context, assembly.pieces);
  const forTurn = [
    ...start.edits.filter((edit) => !isInPlace(edit)).map(turnEditItem),
    ...[...start.off].map(([name, why]) =>
      contextItem("add", turnCause, `The tool "${name}" is off: ${why}`, `tools/${name}`),
    ),
  ];
  const items = [...pendingContext(assembly.deltas, session.messages, forTurn), ...start.added];
  const [message, told] = await entering.within(
    layoutOwner,
    () =>
      [
        contextMessage(layout, layoutOwner, items),
        items.map((item) => ({ ...item, text: renderContextItem(layout, layoutOwner, item) })),
      ] as const,
  );
  const text = piecesText(pieces);
  const regions = deriveRegions(pieces, assembly.prefix);
  const request: ProviderRequest = frozen({
    model: session.model,
    system: { text, regions },
    tools: chosen
      .filter((tool) => tool.off === undefined)
      .map(({ name, spec }) => ({ name, description: spec.description, input: toolInputSchema(spec) })),
    messages: message === undefined ? session.messages : [...session.messages, message],
    tail: assembly.tail.map((section) => contentText(section.content)).join("\n\n"),
    cacheKey: sha256(JSON.stringify([session.model, text, session.info.id])),
    params: {},
  });
  if (core.options.strict === true) assertNoError([...core.diagnostics, ...diagnostics]);
  const prompt: Prompt = {
    text,
    layout: layout.name,
    pieces,
    regions,
    edits: [...plan.edits, ...start.edits.map(turnEditVerdict)],
    sections: [...assembly.prefix, ...assembly.deltas, ...assembly.tail],
    context: told,
    diagnostics,
    request,
    tools: core.tools.snapshot().map(judge),
    leftOut: [...plan.leftOut, ...resolution.leftOut, ...assembly.leftOut],
  };
  return { prompt, message, judge };
}

/** @throws {QuireError} The first error among them. */
export function assertNoError(diagnostics: readonly Diagnostic[]): void {
  const first = diagnostics.find((diagnostic) => diagnostic.level === "error");
  if (first === undefined) return;
  throw new QuireError({ ...first, message: `${first.message} (strict: any error stops the turn)` });
}

/** A user's words as a message. */
export function userMessage(text: string): Message {
  return { id: randomUUID(), role: "user", content: [{ type: "text", text }] };
}

function narrowed(tool: HostTool, only: readonly string[] | undefined): HostTool {
  const mayUse = only === undefined || only.includes(tool.name) || only.includes(tool.fullName);
  return mayUse || tool.off !== undefined ? tool : { ...tool, off: "this task may not use it" };
}

async function resolve(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  { model, signal }: TurnContext,
  tools: readonly HostTool[],
): Promise<Resolution> {
  if (input.system !== undefined) return { sections: [], leftOut: [], diagnostics: [] };
  const { globalMemo, timeScale } = core;
  const facts = core.facts(session.cwd);
  const visible = tools.filter((tool) => tool.off === undefined);
  const about = {
    session: session.info,
    audience: input.audience,
    ...defined({ profile: input.profile ?? session.profile }),
    model,
    platform: facts.platform,
    shell: facts.shell,
    today: localDate(core.now()),
    tools: visible.map(({ name, spec: { snippet, guidelines, effect } }) => ({
      name,
      effect,
      ...defined({ snippet, guidelines }),
    })),
  };
  const { files } = core.options;
  const { within } = core.entering;
  return await resolveSections(core.plan.sections, {
    facts,
    files,
    about,
    memo: session.memo,
    globalMemo,
    timeScale,
    signal,
    within,
  });
}

function localDate(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

interface Start {
  readonly event: AgentStart;
  readonly edits: readonly TurnEditRecord[];
  readonly added: readonly ContextItem[];
  readonly off: ReadonlyMap<string, string>;
}

/** The event of `beforeAgentStart`. Its getters are read once per tap, so each tap sees the edits of earlier ones. */
function createAgentStart(
  core: HostCore,
  { trigger, text: prompt }: TurnInput,
  context: TurnContext,
  sections: readonly ResolvedSection[],
): Start {
  const edits: TurnEditRecord[] = [];
  const added: ContextItem[] = [];
  const off = new Map<string, string>();
  const event: AgentStart = {
    ...context,
    trigger,
    prompt,
    get sections() {
      return frozen(applyTurnEdits(sections, edits));
    },
    get edits() {
      return createTurnEdits(edits, core.entering.current());
    },
    addContext: (text, label = "note") => void added.push(contextItem("add", label, text)),
    disableTool: (name, why) => void off.set(name, why),
  };
  return { event, edits, added, off };
}

async function finalPieces(core: HostCore, input: TurnInput, context: TurnContext, pieces: Pieces): Promise<Pieces> {
  const host: Origin = { kind: "host" };
  if (input.system !== undefined) return [{ text: input.system, from: host }];
  const changed = await core.bus.change("sectionsAssembled", frozen(pieces), context);
  return changed.filter(({ text }) => text !== "").map((piece) => ({ ...piece, from: piece.from ?? host }));
}
