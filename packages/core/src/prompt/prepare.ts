import { randomUUID } from "node:crypto";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { HostTool, Prompt } from "../contracts/host.js";
import type { ContextItem, Pieces, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { ProviderRequest } from "../contracts/provider.js";
import type { AgentStart, TurnContext } from "../contracts/turn.js";
import type { SectionBody, SectionContent } from "../contracts/section.js";
import { baselineCause, cacheBreak, contentsToKeep, createBaseline, type Baseline } from "../baseline/baseline.js";
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
import { assemble, type Assembly } from "./assemble.js";
import { contextItem, contextMessage, renderContextItem } from "./context-message.js";
import { pendingContext, turnCause } from "./told.js";
import { applyTurnEdits, createTurnEdits, turnEditItem, turnEditVerdict, type TurnEditRecord } from "./turn-edits.js";

export interface Prepared {
  readonly prompt: Prompt;
  readonly baseline: Baseline;
  /** What the model is told now, by hash, as far as the session does not know it. */
  readonly contents: Readonly<Record<string, SectionContent>>;
  /** Names the prefix of this turn's requests: the baseline's, or one that stands for this turn alone. */
  readonly plan: string;
  /** What changed since, to be told at a request inside the turn. */
  refresh(messages: readonly Message[]): Promise<Pick<Prepared, "message" | "contents">>;
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
  const { layout, layoutOwner, entering } = core;
  if (core.missing[0] !== undefined) throw new QuireError(core.missing[0]);
  const diagnostics: Diagnostic[] = [...core.plan.diagnostics];
  const report = (found: Diagnostic): void => {
    diagnostics.push(found);
    core.report(found);
  };
  const chosen = core.tools.snapshot().map((tool) => narrowed(tool, input.tools));
  const resolution = await resolveFor(core, session, input, context, chosen, () => true);
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
  const inPlace = start.edits.filter(isInPlace);
  const assembled = async (sections: readonly ResolvedSection[]): Promise<Assembly> =>
    await entering.within(layoutOwner, () => assemble(core, sections));
  const assembly = await assembled(resolution.sections);
  const shown = inPlace.length === 0 ? assembly : await assembled(applyTurnEdits(resolution.sections, inPlace));
  shown.diagnostics.forEach(report);
  const tools = chosen
    .filter((tool) => tool.off === undefined)
    .map(({ name, spec }) => ({ name, description: spec.description, input: toolInputSchema(spec) }));
  const build = async (from: Assembly) => {
    const pieces = await finalPieces(core, input, context, from.pieces);
    return { pieces, system: { text: piecesText(pieces), regions: deriveRegions(pieces, from.prefix) } };
  };
  const { model } = session;
  const cause = baselineCause(core, session, { tools, prefix: assembly.prefix });
  const fresh = async (why: string): Promise<Baseline> =>
    createBaseline({
      cause: why,
      layout: layout.name,
      model,
      tools,
      owners: Object.fromEntries(chosen.map(({ name, plugin }) => [name, plugin])),
      prefix: assembly.prefix,
      ...(await build(assembly)),
    });
  const baseline =
    cause === undefined && session.baseline !== undefined ? session.baseline : await fresh(cause ?? "start");
  if (session.baseline !== undefined && cause === "changed") report(cacheBreak(session.baseline, baseline));
  const { pieces, system } = inPlace.length === 0 ? baseline : await build(shown);

  /** Under a rebuilt prefix the prefix itself tells what changed. */
  const tellable = ({ prefix, deltas, ordered }: Assembly) =>
    core.config.prefix === "rebuilt"
      ? deltas
      : ordered.filter((section) => prefix.includes(section) || deltas.includes(section));
  const tell = async (
    sections: readonly ResolvedSection[],
    messages: readonly Message[],
    items: readonly ContextItem[] | null,
    added: readonly ContextItem[],
  ) => {
    const known = core.config.prefix === "rebuilt" ? [] : baseline.sections;
    const before = { messages, baseline: known, contents: session.contents };
    const pending = [...pendingContext(sections, before, items), ...added];
    const render = () => ({
      message: contextMessage(layout, layoutOwner, pending),
      told: pending.map((item) => ({ ...item, text: renderContextItem(layout, layoutOwner, item) })),
    });
    return { ...(await entering.within(layoutOwner, render)), contents: contentsToKeep(session, sections) };
  };
  const forTurn = [
    ...start.edits.filter((edit) => !isInPlace(edit)).map(turnEditItem),
    ...[...start.off].map(([name, why]) =>
      contextItem("add", turnCause, `The tool "${name}" is off: ${why}`, `tools/${name}`),
    ),
  ];
  const { message, told, contents } = await tell(tellable(assembly), session.messages, forTurn, start.added);
  const refresh: Prepared["refresh"] = async (messages) => {
    if (core.config.prefix === "rebuilt" || input.system !== undefined) return { message: undefined, contents: {} };
    const again = await resolveFor(core, session, input, context, chosen, isLookedAtAgain, true);
    again.diagnostics.forEach(core.report);
    const known = new Map([...resolution.sections, ...again.sections].map((section) => [section.name, section]));
    for (const { section } of again.leftOut) known.delete(section);
    const now = core.plan.sections.flatMap(({ name }) => known.get(name) ?? []);
    return await tell(tellable(await assembled(now)), messages, null, []);
  };
  const request: ProviderRequest = frozen({
    model,
    system,
    tools: baseline.tools,
    messages: message === undefined ? session.messages : [...session.messages, message],
    tail: assembly.tail.map((section) => contentText(section.content)).join("\n\n"),
    cacheKey: sha256(JSON.stringify([model, baseline.id, session.info.id])),
    params: {},
  });
  if (core.options.strict === true) assertNoError([...core.diagnostics, ...diagnostics]);
  const prompt: Prompt = {
    text: system.text,
    layout: layout.name,
    pieces,
    regions: system.regions,
    baseline: { id: baseline.id, cause: baseline.cause, isNew: baseline !== session.baseline },
    edits: [...core.plan.edits, ...start.edits.map(turnEditVerdict)],
    sections: [...shown.prefix, ...shown.deltas, ...shown.tail],
    context: told,
    diagnostics,
    request,
    tools: core.tools.snapshot().map(judge),
    leftOut: [...core.plan.leftOut, ...resolution.leftOut, ...shown.leftOut],
  };
  const plan = inPlace.length === 0 || baseline.cause === "changed" ? baseline.id : `${baseline.id}/${context.turnId}`;
  return { prompt, baseline, contents, plan, message, judge, refresh };
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

/** The sections of a prompt with their content, as far as `isWanted`. */
export async function resolveFor(
  core: HostCore,
  session: SessionState,
  input: TurnInput,
  { model, signal }: TurnContext,
  tools: readonly HostTool[],
  isWanted: (body: SectionBody) => boolean,
  isRefresh = false,
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
  return await resolveSections(
    core.plan.sections.filter(({ body }) => isWanted(body)),
    { facts, files, about, memo: session.memo, globalMemo, timeScale, signal, within, isRefresh },
  );
}

/** Inside a turn: what is memoized, and what says by a key that it changed. The rest is looked at once per turn. */
function isLookedAtAgain({ cache, key }: SectionBody): boolean {
  return cache === "memoized" || key !== undefined;
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
