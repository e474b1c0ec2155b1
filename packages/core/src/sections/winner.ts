import { layers, type Edit, type Layer } from "../contracts/host.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { SectionBody } from "../contracts/section.js";
import type { EditRecord, SectionPatch, SectionRecord } from "./edit-record.js";
import type { PlannedPart, PlannedSection } from "./plan.js";
import { nameOf, verdict } from "./verdict.js";

type Rival = Extract<EditRecord, { op: "replace" | "remove" }>;

export interface Decision {
  /** Null: the section was removed. */
  readonly body: SectionBody | null;
  readonly section: PlannedSection;
  readonly patch: SectionPatch;
  readonly edits: readonly Edit[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Judges all edits of one section; `edits` are sorted by layer and rank. */
export function pickWinner(record: SectionRecord, edits: readonly EditRecord[]): Decision {
  const rivals = edits.filter((edit): edit is Rival => edit.op === "replace" || edit.op === "remove");
  const pin = edits.findLast((edit) => edit.op === "pin");
  const pinned =
    pin?.op === "pin" ? rivals.findLast((edit) => edit.op === "replace" && edit.by.plugin === pin.plugin) : undefined;
  const winner = chooseRival(rivals, pin, pinned);
  const verdicts = rivals.map((edit) =>
    verdict(edit, edit === winner, edit === winner ? undefined : lostBecause(edit, winner, pin)),
  );
  const diagnostics = [...conflicts(record, rivals, winner, pin), ...pinFindings(record, pin, pinned)];
  const replacement = winner?.op === "replace" ? winner : undefined;
  const body = effectiveBody(record, replacement);
  const wraps = edits.filter((edit) => edit.op === "wrap");
  const isShadowed = (edit: EditRecord) => replacement !== undefined && rank(edit.layer) < rank(replacement.layer);
  const patch = Object.assign({}, ...edits.map((edit) => (edit.op === "patch" ? edit.patch : {}))) as SectionPatch;
  for (const edit of wraps.filter(isShadowed)) diagnostics.push(wrapShadowed(record, edit, replacement));
  diagnostics.push(...cacheFindings(record, body, replacement));
  const part = (op: "append" | "prepend"): PlannedPart[] =>
    edits.flatMap((edit) =>
      edit.op === op ? [{ name: edit.name, body: edit.body, by: edit.by, hash: edit.hash }] : [],
    );
  const section: PlannedSection = {
    name: record.spec.name,
    slot: patch.slot ?? record.spec.slot,
    owner: record.plugin,
    body: { ...body, ...withoutSlot(patch) },
    scope: scopeOf(record, body, replacement),
    by: replacement?.by ?? record.by,
    hash: replacement?.hash ?? record.hash,
    wraps: wraps
      .filter((edit) => !isShadowed(edit))
      .flatMap((edit) => (edit.op === "wrap" ? [{ wrap: edit.wrap, by: edit.by }] : [])),
    prepended: part("prepend").toReversed(),
    appended: part("append"),
  };
  const isRemoved = winner?.op === "remove";
  const rest = edits.filter((edit) => edit.op !== "replace" && edit.op !== "remove");
  for (const edit of rest) {
    if (isRemoved) verdicts.push(verdict(edit, false, "the section was removed"));
    else if (edit.op === "wrap" && isShadowed(edit))
      verdicts.push(verdict(edit, false, "a higher layer replaced the section"));
    else if (edit.op === "pin" && edit !== pin) verdicts.push(verdict(edit, false, "a higher layer pinned another"));
    else
      verdicts.push(
        verdict(
          edit,
          edit.op !== "pin" || pinned !== undefined,
          pinned === undefined && edit.op === "pin" ? "that plugin does not replace the section" : undefined,
        ),
      );
  }
  return { body: isRemoved ? null : body, section, patch, edits: verdicts, diagnostics };
}

function rank(layer: Layer): number {
  return layers.indexOf(layer);
}

/** The last rival wins, unless a pin of a layer at least as high says otherwise; a user's pin also beats the project. */
function chooseRival(
  rivals: readonly Rival[],
  pin: EditRecord | undefined,
  pinned: Rival | undefined,
): Rival | undefined {
  const last = rivals.at(-1);
  if (pin === undefined || pinned === undefined || last === undefined) return last;
  const reach = pin.layer === "user" ? rank("project") : rank(pin.layer);
  const above = rivals.filter(
    (edit) =>
      rank(edit.layer) > reach ||
      (rank(edit.layer) === rank(pin.layer) && edit.rank > pin.rank && edit.layer !== "plugin"),
  );
  return above.at(-1) ?? pinned;
}

function lostBecause(edit: Rival, winner: Rival | undefined, pin: EditRecord | undefined): string {
  if (winner === undefined) return "no edit won";
  if (pin?.op === "pin" && winner.by.plugin === pin.plugin) return `"${pin.plugin}" is pinned`;
  if (edit.layer !== winner.layer) return `the layer "${winner.layer}" is above "${edit.layer}"`;
  return `${nameOf(winner.by)} comes later in the same layer`;
}

function conflicts(
  record: SectionRecord,
  rivals: readonly Rival[],
  winner: Rival | undefined,
  pin: EditRecord | undefined,
): Diagnostic[] {
  if (winner === undefined || (pin?.op === "pin" && winner.by.plugin === pin.plugin)) return [];
  return rivals
    .filter((edit) => edit !== winner && edit.layer === winner.layer)
    .map((loser): Diagnostic => {
      const name = record.spec.name;
      const choice = loser.by.plugin ?? winner.by.plugin;
      return {
        code: "section-conflict",
        level: "warn",
        message: `${nameOf(loser.by)} and ${nameOf(winner.by)} both ${loser.op === winner.op ? loser.op : "change"} section "${name}"; ${nameOf(winner.by)} wins because it comes later`,
        section: name,
        ...(winner.by.plugin === undefined ? {} : { plugin: winner.by.plugin }),
        at: winner.by,
        fix:
          choice === undefined
            ? `Keep one of the two in the "${winner.layer}" layer`
            : `To pin a winner write in config.yaml: sections: { ${quoted(name)}: { use: ${quoted(winner.by.plugin ?? choice)} } } (or ${quoted(choice)})`,
      };
    });
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

function pinFindings(record: SectionRecord, pin: EditRecord | undefined, pinned: Rival | undefined): Diagnostic[] {
  if (pin?.op !== "pin" || pinned !== undefined || pin.plugin === record.plugin) return [];
  return [
    {
      code: "pin-without-effect",
      level: "warn",
      message: `Section "${record.spec.name}" is pinned to "${pin.plugin}", which does not replace it`,
      section: record.spec.name,
      at: pin.by,
      fix: "Correct the plugin's name, or remove the pin",
    },
  ];
}

/** The replacement's body; what it leaves open of group, relations, budget and audience stays the section's. */
function effectiveBody(record: SectionRecord, replacement: Rival | undefined): SectionBody {
  if (replacement?.op !== "replace") return record.spec;
  const { group, after, before, budget, audience } = record.spec;
  const kept = Object.fromEntries(
    Object.entries({ group, after, before, budget, audience }).filter(([, value]) => value !== undefined),
  );
  return { ...kept, ...replacement.body };
}

function scopeOf(record: SectionRecord, body: SectionBody, replacement: Rival | undefined): "global" | "session" {
  if (body.cache !== "memoized") return "session";
  if (replacement?.op !== "replace") return body.scope ?? "session";
  // A plugin's plain text is the same for everyone who has the plugin; a user's own is not.
  if (replacement.isText && replacement.by.kind === "plugin" && replacement.layer === "plugin")
    return record.spec.scope ?? "session";
  return body.scope ?? "session";
}

function withoutSlot(patch: SectionPatch): Partial<SectionBody> {
  const { slot: _slot, ...rest } = patch;
  return rest;
}

function wrapShadowed(record: SectionRecord, edit: EditRecord, replacement: Rival | undefined): Diagnostic {
  return {
    code: "wrap-shadowed",
    level: "info",
    message: `The wrap of section "${record.spec.name}" by ${nameOf(edit.by)} is dropped: ${replacement === undefined ? "a higher layer" : nameOf(replacement.by)} replaced the section from a higher layer`,
    section: record.spec.name,
    ...(edit.by.plugin === undefined ? {} : { plugin: edit.by.plugin }),
  };
}

function cacheFindings(record: SectionRecord, body: SectionBody, replacement: Rival | undefined): Diagnostic[] {
  const name = record.spec.name;
  const by = replacement?.by ?? record.by;
  const who = by.plugin === undefined ? {} : { plugin: by.plugin };
  const found: Diagnostic[] = [];
  if (replacement !== undefined && record.spec.cache === "memoized" && body.cache !== "memoized") {
    const message = `${nameOf(by)} replaces the memoized section "${name}" by a volatile one: ${body.cache.volatile}`;
    found.push({ code: "cache-downgrade", level: "warn", message, section: name, at: by, ...who });
  }
  if (body.cache !== "memoized" && body.scope === "global") {
    const message = `Section "${name}" is volatile, so its scope "global" is ignored`;
    found.push({
      code: "scope-volatile",
      level: "error",
      message,
      section: name,
      at: by,
      ...who,
      fix: "Leave scope out, or make the section memoized",
    });
  }
  return found;
}
