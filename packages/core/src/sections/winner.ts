import type { Diagnostic, Origin } from "../index.js";
import { defined } from "../plain-data.js";
import { layers, type Edit, type Layer } from "../contracts/host.js";
import { fault, notice, warning } from "../errors.js";
import type { EditRecord, SectionRecord } from "./edit-record.js";
import type { PlannedSection } from "./plan.js";

export interface Decision {
  /** Null: removed. */
  readonly section: PlannedSection | null;
  readonly edits: readonly Edit[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Judges all edits of one section; `edits` are sorted by layer and rank. */
export function pickWinner(record: SectionRecord, edits: readonly EditRecord[]): Decision {
  const judged = judge(record, edits);
  const section = sectionOf(record, edits, judged);
  return {
    section: judged.winner?.op === "remove" ? null : section,
    edits: edits.map((edit) => verdict(edit, lostBecause(edit, judged))),
    diagnostics: findingsOf(record, section, judged),
  };
}

/** An edit as it was judged; `why` it lost. */
export const verdict = ({ section, op, layer, by }: EditRecord, why?: string): Edit => ({
  section,
  op,
  layer,
  by,
  won: why === undefined,
  ...defined({ why }),
});

/** How a message names the author of an edit. */
export function nameOf({ plugin, file, line, kind }: Origin): string {
  if (plugin !== undefined) return `"${plugin}"`;
  if (file !== undefined) return `${file}${line === undefined ? "" : `:${line}`}`;
  return kind === "flag" ? "a flag" : `the ${kind}`;
}

/** The last rival wins, unless a pin that it does not stand above says otherwise. */
function judge(record: SectionRecord, edits: readonly EditRecord[]) {
  const rivals = edits.filter((edit) => edit.op === "replace" || edit.op === "remove");
  const pin = edits.findLast((edit) => edit.op === "pin");
  const pinned = rivals.findLast((edit) => edit.op === "replace" && edit.by.plugin === pin?.plugin);
  const holds = pin !== undefined && (pinned !== undefined || pin.plugin === record.plugin);
  const winner = holds ? (rivals.findLast((edit) => beats(edit, pin)) ?? pinned) : rivals.at(-1);
  const replacement = winner?.op === "replace" ? winner : undefined;
  const wraps = edits.filter((edit) => edit.op === "wrap");
  const shadowed = wraps.filter(({ layer }) => replacement !== undefined && rank(layer) < rank(replacement.layer));
  return { rivals, pin, holds, winner, isPinned: holds && winner === pinned, replacement, wraps, shadowed };
}
type Judged = ReturnType<typeof judge>;

const rank = (layer: Layer): number => layers.indexOf(layer);

/** What stands above a pin: a higher layer (of a user's pin: above the project's), or what comes later in its own. */
function beats(edit: EditRecord, pin: EditRecord): boolean {
  const reach = pin.layer === "user" ? rank("project") : rank(pin.layer);
  return rank(edit.layer) > reach || (edit.layer === pin.layer && edit.rank > pin.rank);
}

function sectionOf(
  { spec, plugin: owner, by }: SectionRecord,
  edits: readonly EditRecord[],
  judged: Judged,
): PlannedSection {
  const { replacement, wraps, shadowed } = judged;
  const { slot = spec.slot, ...patched } = Object.assign({}, ...edits.map(({ patch }) => patch)) as Partial<
    typeof spec
  >;
  const { name, group, after, before, budget, audience } = spec;
  const kept = defined({ group, after, before, budget, audience });
  const body = { ...kept, ...(replacement?.body ?? spec), ...patched };
  const scope = body.cache === "memoized" ? (replacement?.keepsScope ? spec : body).scope : undefined;
  const partsOf = (wanted: "append" | "prepend") =>
    edits.flatMap(({ op, name = "", body, by }) => (op === wanted && body !== undefined ? [{ name, body, by }] : []));
  // What another author puts in is not promised to be equal for everyone.
  const isMixed = edits.some(
    ({ op, by, body }) => /wrap|append|prepend/.test(op) && by.plugin !== owner && body?.scope !== "global",
  );
  return {
    name,
    slot,
    owner,
    body,
    scope: (!isMixed && scope) || "session",
    by: replacement?.by ?? by,
    ...behind(
      name,
      replacement?.base,
      judged.rivals.findLast((edit) => edit.op === "replace" && edit !== replacement) ?? { body: spec, by },
    ),
    wraps: wraps.flatMap((edit) => (edit.wrap && !shadowed.includes(edit) ? [{ wrap: edit.wrap, by: edit.by }] : [])),
    prepended: partsOf("prepend").toReversed(),
    appended: partsOf("append"),
  };
}

function behind(name: string, hash: string | undefined, { body, by }: Partial<EditRecord> & { readonly by: Origin }) {
  return hash === undefined || body === undefined ? {} : { behind: { name: `${name} behind`, body, by, hash } };
}

function lostBecause(edit: EditRecord, { winner, pin, holds, isPinned, shadowed }: Judged): string | undefined {
  if (edit === winner) return undefined;
  if (edit.op === "replace" || edit.op === "remove") {
    if (winner === undefined || isPinned) return `"${pin?.plugin ?? ""}" is pinned`;
    if (edit.layer !== winner.layer) return `the layer "${winner.layer}" is above "${edit.layer}"`;
    return `${nameOf(winner.by)} comes later in the same layer`;
  }
  if (winner?.op === "remove") return "the section was removed";
  if (edit.op === "pin" && edit !== pin) return "a higher layer pinned another";
  if (edit.op === "pin" && !holds) return "that plugin does not replace the section";
  return shadowed.includes(edit) ? "a higher layer replaced the section" : undefined;
}

function findingsOf(record: SectionRecord, { name, body, by }: PlannedSection, judged: Judged): readonly Diagnostic[] {
  const { rivals, winner, pin, holds, isPinned, replacement, shadowed } = judged;
  const about = { section: name, at: by, plugin: by.plugin };
  const found: Diagnostic[] = [];
  for (const loser of winner === undefined || isPinned ? [] : rivals) {
    if (loser !== winner && loser.layer === winner?.layer) found.push(conflict(name, winner, loser));
  }
  if (pin !== undefined && !holds) {
    const message = `Section "${name}" is pinned to "${pin.plugin}", which does not replace it`;
    const fix = "Correct the plugin's name, or remove the pin";
    found.push(warning("pin-without-effect", message, { section: name, at: pin.by, fix }));
  }
  for (const { by: author } of shadowed) {
    const what = `is dropped: ${nameOf(by)} replaced the section from a higher layer`;
    const message = `The wrap of section "${name}" by ${nameOf(author)} ${what}`;
    found.push(notice("wrap-shadowed", message, { section: name, plugin: author.plugin }));
  }
  if (body.cache !== "memoized" && replacement !== undefined && record.spec.cache === "memoized") {
    const message = `${nameOf(by)} replaces the memoized section "${name}" by a volatile one: ${body.cache.volatile}`;
    found.push(warning("cache-downgrade", message, about));
  }
  if (body.cache !== "memoized" && body.scope === "global") {
    const fix = "Leave scope out, or make the section memoized";
    const message = `Section "${name}" is volatile, so its scope "global" is ignored`;
    found.push(fault("scope-volatile", message, { ...about, fix }));
  }
  return found;
}

function conflict(section: string, { by, layer, op }: EditRecord, loser: EditRecord): Diagnostic {
  const what = `both ${loser.op === op ? op : "change"} section "${section}"`;
  const message = `${nameOf(loser.by)} and ${nameOf(by)} ${what}; ${nameOf(by)} wins because it comes later`;
  const first = by.plugin ?? loser.by.plugin;
  const use = JSON.stringify(section) + `: { use: ${JSON.stringify(first)} }`;
  const pin = `To pin a winner write in config.yaml: sections: { ${use} } (or ${JSON.stringify(loser.by.plugin ?? first)})`;
  const fix = first === undefined ? `Keep one of the two in the "${layer}" layer` : pin;
  return warning("section-conflict", message, { section, plugin: by.plugin, at: by, fix });
}
