import { randomUUID } from "node:crypto";
import type { AgentStart, ContextItem, Diagnostic, Message, Origin, ProviderRequest } from "../index.js";
import type { ResolvedSection, SectionBody, SectionContent, TurnContext } from "../index.js";
import type { HostTool, Prompt } from "../host-door.js";
import { defined, frozen } from "../plain-data.js";
import {
  baselineCause,
  cacheBreak,
  cacheKey,
  contentsToKeep,
  createBaseline,
  type Baseline,
} from "../baseline/baseline.js";
import { notice, QuireError } from "../errors.js";
import type { HostCore } from "../host-core.js";
import { piecesText } from "../layout/piece-builder.js";
import { deriveRegions } from "../layout/regions.js";
import { toolInputSchema } from "../registries/tool-input.js";
import { contentText } from "../sections/content.js";
import { resolveSections, type Resolution } from "../sections/resolve.js";
import type { OpenSession } from "../turns/session.js";
import type { TurnInput } from "../turns/turn.js";
import { assembleAgain, type Assembly } from "./assemble.js";
import { contextItem, pendingContext, tellContext, turnCause } from "./context.js";
import { applyTurnEdits, createTurnEdits, type TurnEdit } from "./turn-edits.js";

/** What the model is told beside the prefix. */
export interface Telling {
  readonly message: Message | undefined;
  /** Contents by hash that the session does not know yet. */
  readonly contents: Readonly<Record<string, SectionContent>>;
}

export interface Prepared extends Telling {
  readonly prompt: Prompt;
  readonly baseline: Baseline;
  /** Names the prefix of this turn's requests: the baseline's, or one that stands for this turn alone. */
  readonly plan: string;
  /** A tool as this turn may use it: off when it may not. */
  judge(tool: HostTool): HostTool;
  /** What changed since, to be told at a request inside the turn. */
  refresh(messages: readonly Message[]): Promise<Telling>;
}

/** What a prompt is made from, of its session or of a view of it. `messages` end with the user's words, if any. */
export type View = Pick<OpenSession, "core" | "cwd" | "info" | "options" | "model" | "messages" | "memo" | "prefix">;

/**
 * From plan to request: the one function behind a turn, `agent prompt` and every other view of a prompt.
 * @throws {QuireError} A required section or the layout failed, or, when strict, the first error of all.
 */
export async function prepareTurn(view: View, input: TurnInput, context: TurnContext): Promise<Prepared> {
  const { core, model, messages, prefix } = view;
  const { layout, config, entering } = core;
  if (core.missing[0] !== undefined) throw new QuireError(core.missing[0]);
  const diagnostics: Diagnostic[] = [...core.plan.diagnostics];
  const report = (found: Diagnostic): void => {
    diagnostics.push(found);
    core.report(found);
  };
  const all = core.tools.snapshot();
  const chosen = input.tools === undefined ? all : all.map((tool) => narrowed(tool, input.tools));
  const resolution = await resolveFor(view, input, context, chosen, () => true);
  resolution.diagnostics.forEach(report);

  const start = createAgentStart(core, input, context, resolution.sections);
  await core.bus.tell("beforeAgentStart", start.event);
  const judge = (tool: HostTool): HostTool => {
    const why = start.off.get(tool.name) ?? start.off.get(tool.fullName);
    const mine = narrowed(tool, input.tools);
    return why === undefined || mine.off !== undefined ? mine : { ...mine, off: why };
  };
  for (const { section, by, bust } of start.edits.filter((edit) => edit.bust !== undefined)) {
    const message = `Section "${section}" stands changed for this turn: ${bust}`;
    report(notice("cache-break", message, { section, plugin: by.plugin }));
  }
  const isInPlace = ({ bust }: TurnEdit) => bust !== undefined || config.isRebuilt;
  const inPlace = start.edits.filter(isInPlace);
  const assembled = (sections: readonly ResolvedSection[]): Promise<Assembly> =>
    entering.within(layout.owner, () => assembleAgain(view.memo, core, sections));
  const usual = await assembled(resolution.sections);
  const shown = inPlace.length === 0 ? usual : await assembled(applyTurnEdits(resolution.sections, inPlace));
  shown.diagnostics.forEach(report);
  const build = async (from: Assembly) => {
    const pieces = await finalPieces(core, input, context, from);
    return { pieces, system: { text: piecesText(pieces), regions: deriveRegions(pieces, from.prefix) } };
  };
  const tools = declarations(chosen);
  const cause = baselineCause(view, tools, usual.prefix);
  const fresh = async (): Promise<Baseline> => {
    const owners = Object.fromEntries(chosen.map(({ name, plugin }) => [name, plugin]));
    const made = { cause: cause ?? "start", layout: layout.spec.name, model, tools, owners };
    return createBaseline({ ...made, ...(await build(usual)) }, usual.prefix);
  };
  const baseline = (cause === undefined ? prefix.baseline : undefined) ?? (await fresh());
  if (prefix.baseline !== undefined && cause === "changed") report(cacheBreak(prefix.baseline, baseline));
  const { pieces, system } = inPlace.length === 0 ? baseline : await build(shown);

  const tell = async (
    from: Assembly,
    told: readonly Message[],
    forTurn: readonly ContextItem[] | null,
    added: readonly ContextItem[],
  ) => {
    // Under a rebuilt prefix the prefix itself tells what changed.
    const tellable = config.isRebuilt ? from.deltas : from.told;
    const before = { messages: told, sections: config.isRebuilt ? [] : baseline.sections, contents: prefix.contents };
    const items = [...pendingContext(tellable, before, forTurn), ...added];
    const telling = await entering.within(layout.owner, () => tellContext(layout, items));
    return { ...telling, contents: contentsToKeep(prefix, tellable) };
  };
  const forTurn = start.edits
    .filter((edit) => !isInPlace(edit))
    .map(({ section, op, content }) => contextItem(op === "append" ? "add" : op, turnCause, content, section));
  for (const [name, why] of start.off) {
    forTurn.push(contextItem("add", turnCause, `The tool "${name}" is off: ${why}`, `tools/${name}`));
  }
  const { message, told, contents } = await tell(usual, messages, forTurn, start.added);
  const refresh: Prepared["refresh"] = async (now) => {
    if (config.isRebuilt || input.system !== undefined) return { message: undefined, contents: {} };
    // What is memoized, and what says by a key that it changed; the rest is looked at once per turn.
    const again = await resolveFor(
      view,
      input,
      context,
      chosen,
      (body) => body.cache === "memoized" || body.key !== undefined,
      true,
    );
    again.diagnostics.forEach(core.report);
    const known = new Map([...resolution.sections, ...again.sections].map((section) => [section.name, section]));
    for (const { section } of again.leftOut) known.delete(section);
    const sections = core.plan.sections.flatMap(({ name }) => known.get(name) ?? []);
    return await tell(await assembled(sections), now, null, []);
  };
  const request: ProviderRequest = frozen({
    model,
    system,
    tools: baseline.tools,
    messages: message === undefined ? messages : [...messages, message],
    tail: usual.tail.map((section) => contentText(section.content)).join("\n\n"),
    cacheKey: cacheKey(model, baseline.id, view.info.id),
    params: {},
  });
  if (core.options.strict === true) assertNoError([...core.diagnostics, ...diagnostics]);
  const edits = start.edits.map(({ section, op, by }) => ({ section, op, layer: "turn", by, won: true }) as const);
  const prompt: Prompt = {
    text: system.text,
    layout: layout.spec.name,
    pieces,
    regions: system.regions,
    baseline: { id: baseline.id, cause: baseline.cause, isNew: baseline !== prefix.baseline },
    edits: [...core.plan.edits, ...edits],
    sections: [...shown.prefix, ...shown.deltas, ...shown.tail],
    context: told,
    diagnostics,
    request,
    tools: core.tools.snapshot().map(judge),
    leftOut: [...core.plan.leftOut, ...resolution.leftOut, ...shown.leftOut],
  };
  const isPlain = inPlace.length === 0 || baseline.cause === "changed";
  const plan = isPlain ? baseline.id : `${baseline.id}/${context.turnId}`;
  return { prompt, baseline, contents, plan, message, judge, refresh };
}

/** @throws {QuireError} The first error among them. */
export function assertNoError(diagnostics: readonly Diagnostic[]): void {
  const first = diagnostics.find((diagnostic) => diagnostic.level === "error");
  if (first === undefined) return;
  throw new QuireError({ ...first, message: `${first.message} (strict: any error stops the turn)` });
}

/** A user's words as a message. */
export const userMessage = (text: string): Message => ({
  id: randomUUID(),
  role: "user",
  content: [{ type: "text", text }],
});

/** The sections of a prompt with their content, as far as `isWanted`. */
export async function resolveFor(
  { core, cwd, info, model, options, memo }: View,
  { system, audience, profile = options.profile }: TurnInput,
  { signal }: TurnContext,
  tools: readonly HostTool[],
  isWanted: (body: SectionBody) => boolean,
  isRefresh = false,
): Promise<Resolution> {
  const planned = system === undefined ? core.plan.sections.filter(({ body }) => isWanted(body)) : [];
  const facts = core.facts(cwd);
  const { platform, shell } = facts;
  const now = core.now();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const today = date.map((part) => String(part).padStart(2, "0")).join("-");
  const visible = tools.filter(({ off }) => off === undefined);
  const known = visible.map(({ name, spec: { snippet, guidelines, effect } }) => {
    return { name, effect, ...defined({ snippet, guidelines }) };
  });
  const about = { session: info, audience, ...defined({ profile }), model, platform, shell, today, tools: known };
  return await resolveSections(planned, { core, facts, about, memo, signal, isRefresh });
}

const declared = new WeakMap<readonly HostTool[], ProviderRequest["tools"]>();

/** What is said of the tools that are on: of one list always the same. */
function declarations(tools: readonly HostTool[]): ProviderRequest["tools"] {
  const known = declared.get(tools);
  if (known !== undefined) return known;
  const made = tools
    .filter(({ off }) => off === undefined)
    .map(({ name, spec }) => ({ name, description: spec.description, input: toolInputSchema(spec) }));
  declared.set(tools, made);
  return made;
}

function narrowed(tool: HostTool, only: readonly string[] | undefined): HostTool {
  const mayUse = only === undefined || only.includes(tool.name) || only.includes(tool.fullName);
  return mayUse || tool.off !== undefined ? tool : { ...tool, off: "this task may not use it" };
}

/** The event of `beforeAgentStart`. Its getters are read once per tap, so each tap sees the edits of earlier ones. */
function createAgentStart(
  core: HostCore,
  { trigger, text: prompt }: TurnInput,
  context: TurnContext,
  sections: readonly ResolvedSection[],
) {
  const edits: TurnEdit[] = [];
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

async function finalPieces(core: HostCore, { system }: TurnInput, context: TurnContext, { pieces }: Assembly) {
  const host: Origin = { kind: "host" };
  if (system !== undefined) return [{ text: system, from: host }];
  const changed = await core.bus.change("sectionsAssembled", frozen(pieces), context);
  return changed.filter(({ text }) => text !== "").map((piece) => ({ ...piece, from: piece.from ?? host }));
}
