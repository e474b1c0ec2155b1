import { layers, type Edit, type Layer } from "../contracts/host.js";
import type { Diagnostic, Origin } from "../contracts/diagnostic.js";
import type { SectionBody } from "../contracts/section.js";
import { defined } from "../defined.js";
import { fault, notice, warning } from "../errors.js";
import type { EditRecord, SectionPatch, SectionRecord } from "./edit-record.js";
import type { PlannedSection } from "./plan.js";

export interface Decision {
  /** Null: removed. */
  readonly section: PlannedSection | null;
  readonly edits: readonly Edit[];
  readonly diagnostics: readonly Diagnostic[];
}

type Rival = Extract<EditRecord, { op: "replace" | "remove" }>;

/** Judges all edits of one section; `edits` are sorted by layer and rank. */
export function pickWinner(record: SectionRecord, edits: readonly EditRecord[]): Decision {
  const { spec } = record;
  const rivals = edits.filter((edit): edit is Rival => edit.op === "replace" || edit.op === "remove");
  const pin = edits.findLast((edit) => edit.op === "pin");
  const pinned = rivals.findLast((edit) => edit.op === "replace" && edit.by.plugin === pin?.plugin);
  const holds = pin !== undefined && (pinned !== undefined || pin.plugin === record.plugin);
  const winner = holds ? (rivals.findLast((edit) => beats(edit, pin)) ?? pinned) : rivals.at(-1);
  const isPinned = holds && winner === pinned;
  const replacement = winner?.op === "replace" ? winner : undefined;
  const wraps = edits.filter((edit) => edit.op === "wrap");
  const shadowed = wraps.filter(({ layer }) => replacement !== undefined && rank(layer) < rank(replacement.layer));
  const patch: SectionPatch = Object.assign({}, ...edits.map((edit) => (edit.op === "patch" ? edit.patch : {})));
  const { slot = spec.slot, ...patched } = patch;
  const { group, after, before, budget, audience } = spec;
  const kept = defined({ group, after, before, budget, audience });
  const body: SectionBody = { ...kept, ...(replacement?.body ?? spec), ...patched };
  const partsOf = (op: "append" | "prepend") => edits.flatMap((edit) => (edit.op === op ? [edit] : []));
  const section: PlannedSection = {
    name: spec.name,
    slot,
    owner: record.plugin,
    body,
    scope: (body.cache === "memoized" ? (replacement?.keepsScope ? spec : body).scope : undefined) ?? "session",
    by: replacement?.by ?? record.by,
    wraps: wraps.filter((edit) => !shadowed.includes(edit)),
    prepended: partsOf("prepend").toReversed(),
    appended: partsOf("append"),
  };
  /** Why an edit lost. */
  const lost = (edit: EditRecord): string | undefined => {
    if (edit === winner) return undefined;
    if (edit.op === "replace" || edit.op === "remove") {
      if (winner === undefined || isPinned) return `"${pin?.plugin ?? ""}" is pinned`;
      if (edit.layer !== winner.layer) return `the layer "${winner.layer}" is above "${edit.layer}"`;
      return `${nameOf(winner.by)} comes later in the same layer`;
    }
    if (winner?.op === "remove") return "the section was removed";
    if (edit.op === "pin" && edit !== pin) return "a higher layer pinned another";
    if (edit.op === "pin" && !holds) return "that plugin does not replace the section";
    return shadowed.some((wrap) => wrap === edit) ? "a higher layer replaced the section" : undefined;
  };
  return {
    section: winner?.op === "remove" ? null : section,
    edits: edits.map((edit) => verdict(edit, lost(edit))),
    diagnostics: [
      ...(winner === undefined || isPinned ? [] : conflicts(spec.name, rivals, winner)),
      ...(pin === undefined || holds ? [] : [pinWithoutEffect(spec.name, pin)]),
      ...shadowed.map((edit) => wrapShadowed(spec.name, edit, winner)),
      ...cacheFindings(record, section, replacement),
    ],
  };
}

/** An edit as it was judged; `why` it lost. */
export function verdict({ section, op, layer, by }: EditRecord, why?: string): Edit {
  return { section, op, layer, by, won: why === undefined, ...defined({ why }) };
}

/** How a message names the author of an edit. */
export function nameOf(by: Origin): string {
  if (by.plugin !== undefined) return `"${by.plugin}"`;
  if (by.file !== undefined) return `${by.file}${by.line === undefined ? "" : `:${by.line}`}`;
  return by.kind === "flag" ? "a flag" : `the ${by.kind}`;
}

function rank(layer: Layer): number {
  return layers.indexOf(layer);
}

/** What stands above a pin: a higher layer (of a user's pin: above the project's), or what comes later in its own. */
function beats(edit: EditRecord, pin: EditRecord): boolean {
  const reach = pin.layer === "user" ? rank("project") : rank(pin.layer);
  return rank(edit.layer) > reach || (edit.layer === pin.layer && edit.rank > pin.rank);
}

function conflicts(section: string, rivals: readonly Rival[], winner: Rival): readonly Diagnostic[] {
  const { by, layer, op } = winner;
  const losers = rivals.filter((edit) => edit !== winner && edit.layer === layer);
  return losers.map((loser) => {
    const what = `both ${loser.op === op ? op : "change"} section "${section}"`;
    const message = `${nameOf(loser.by)} and ${nameOf(by)} ${what}; ${nameOf(by)} wins because it comes later`;
    const [first, other] = [by.plugin ?? loser.by.plugin, loser.by.plugin ?? by.plugin].map((name) =>
      JSON.stringify(name),
    );
    const pin = `sections: { ${JSON.stringify(section)}: { use: ${first} } } (or ${other})`;
    const fix =
      first === undefined
        ? `Keep one of the two in the "${layer}" layer`
        : `To pin a winner write in config.yaml: ${pin}`;
    return warning("section-conflict", message, { section, plugin: by.plugin, at: by, fix });
  });
}

function pinWithoutEffect(section: string, pin: Extract<EditRecord, { op: "pin" }>): Diagnostic {
  const message = `Section "${section}" is pinned to "${pin.plugin}", which does not replace it`;
  return warning("pin-without-effect", message, {
    section,
    at: pin.by,
    fix: "Correct the plugin's name, or remove the pin",
  });
}

function wrapShadowed(section: string, { by }: EditRecord, winner: Rival | undefined): Diagnostic {
  const what = `${winner === undefined ? "another" : nameOf(winner.by)} replaced the section from a higher layer`;
  const message = `The wrap of section "${section}" by ${nameOf(by)} is dropped: ${what}`;
  return notice("wrap-shadowed", message, { section, plugin: by.plugin });
}

function cacheFindings(
  { spec }: SectionRecord,
  { name, body, by }: PlannedSection,
  replacement: Rival | undefined,
): readonly Diagnostic[] {
  if (body.cache === "memoized") return [];
  const found: Diagnostic[] = [];
  const about = { section: name, at: by, plugin: by.plugin };
  if (replacement !== undefined && spec.cache === "memoized") {
    const message = `${nameOf(by)} replaces the memoized section "${name}" by a volatile one: ${body.cache.volatile}`;
    found.push(warning("cache-downgrade", message, about));
  }
  if (body.scope === "global") {
    const message = `Section "${name}" is volatile, so its scope "global" is ignored`;
    const fix = "Leave scope out, or make the section memoized";
    found.push(fault("scope-volatile", message, { ...about, fix }));
  }
  return found;
}
