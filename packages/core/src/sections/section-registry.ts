import path from "node:path";
import type { At, Origin, PluginInfo, Replacement, SectionBody, SectionRegistry } from "../index.js";
import type { HostEdit } from "../host-door.js";
import { defined } from "../plain-data.js";
import { pluginError } from "../errors.js";
import { originOf } from "../order/plugin-shape.js";
import { createSetUpGate } from "../set-up-gate.js";
import { ranksPerPlugin, type EditDetails, type EditRecord, type SectionRecord } from "./edit-record.js";

/**
 * What plugins and host want of the prompt, collected during set-up.
 * @param host The edits from config, files and flags.
 */
export function createSectionRecords(host: readonly HostEdit[]) {
  const gate = createSetUpGate();
  let sections: SectionRecord[] = [];
  const hostEdits = host.map(hostEditRecord);
  let edits: EditRecord[] = [];
  let plugins = 0;

  const face = (plugin: PluginInfo): SectionRegistry => {
    const { name: owner } = plugin;
    const layer = plugin.tier === "flags" ? "flags" : "plugin";
    const order = ++plugins;
    let count = 0;
    let parts = 0;
    const record = (op: EditRecord["op"], section: string, { by = originOf(plugin), ...details }: Made): void => {
      gate.check(owner, `sections.${op}`);
      edits.push({ ...details, op, section, layer, rank: order * ranksPerPlugin + ++count, by });
    };
    const replace = (op: "replace" | "replace-group", section: string, content: Replacement): void => {
      const keepsScope = typeof content === "string" && layer === "plugin";
      record(op, section, { ...toBody(content, section, plugin), keepsScope });
    };
    const insert = (op: "append" | "prepend", at: At, content: Replacement, given?: string): void => {
      const short = given ?? `${op}-${++parts}`;
      const name = short.startsWith(`${owner}/`) ? short : `${owner}/${short}`;
      checkSectionName(name, owner);
      const made = toBody(content, name, plugin);
      if ("section" in at) record(op, at.section, { ...made, name });
      else record("add", name, { ...made, slot: at.slot, isFirst: op === "prepend" });
    };
    return {
      register(spec) {
        gate.check(owner, "sections.register");
        checkSectionName(spec.name, owner);
        checkBody(spec, spec.name, owner);
        sections.push({ spec, plugin: owner, rank: order, by: originOf(plugin) });
      },
      replace: (section, content) => replace("replace", section, content),
      replaceGroup: (group, content) => replace("replace-group", group, content),
      wrap: (section, wrap) => record("wrap", section, { wrap }),
      patch: (section, patch) => record("patch", section, { patch }),
      append: (at, content, name) => insert("append", at, content, name),
      prepend: (at, content, name) => insert("prepend", at, content, name),
      remove: (section) => record("remove", section, {}),
    };
  };
  return {
    face,
    /** Takes back all a plugin recorded: its set-up failed. */
    withdraw(plugin: string): void {
      gate.shutOut(plugin);
      sections = sections.filter((record) => record.plugin !== plugin);
      edits = edits.filter((record) => record.by.plugin !== plugin);
    },
    close: () => gate.close(),
    sections: (): readonly SectionRecord[] => sections,
    edits: (): readonly EditRecord[] => [...hostEdits, ...edits],
  };
}

type Made = EditDetails & { readonly by?: Origin };

/** The body of a text, of a file beside the plugin's own, or as it is. */
function toBody(content: Replacement, name: string, plugin: PluginInfo): { body: SectionBody; by?: Origin } {
  if (typeof content === "string") return { body: textBody(content) };
  if (!("file" in content)) return { body: checkBody(content, name, plugin.name) };
  const file = path.resolve(path.dirname(plugin.file ?? "/"), content.file);
  const compute: SectionBody["compute"] = async (context) => {
    const text = await context.read(file);
    if (text !== null) return text.replace(/\r?\n$/, "");
    const fix = "Create it, or correct the path";
    throw pluginError("section-file-missing", `The file ${file} is missing`, { fix });
  };
  return { body: { cache: "memoized", compute }, by: { kind: "file", file, plugin: plugin.name } };
}

const textBody = (text: string): SectionBody => ({ cache: "memoized", compute: () => text });

function hostEditRecord(edit: HostEdit, rank: number): EditRecord {
  const { layer, by, op, section, content = "", plugin, slot, base } = edit;
  const body = typeof content === "string" ? textBody(content) : content;
  return { op, section, layer, rank, by, body, name: `user/${op}-${rank + 1}`, ...defined({ plugin, slot, base }) };
}

/** @throws {PluginError} `name-prefix` unless the name is `<plugin>/<kebab-case>`. */
function checkSectionName(name: unknown, plugin: string): void {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
  if (typeof name === "string" && name.startsWith(`${plugin}/`) && kebab.test(name.slice(plugin.length + 1))) return;
  const message = `Section name "${String(name)}" is not of the form ${plugin}/<kebab-case>`;
  const fix = `Name it "${plugin}/…"; to change another plugin's section use sections.replace`;
  throw pluginError("name-prefix", message, { plugin, fix });
}

/** A reason shorter than this says nothing. */
const minReasonCharacters = 12;

/** @throws {PluginError} `section-invalid` when plain JavaScript left out what the types ask for. */
function checkBody(body: SectionBody, section: string, plugin: string): SectionBody {
  const { compute, cache } = Object(body) as Partial<SectionBody>;
  const { volatile: reason, deliver = "delta" } = typeof cache === "object" && cache !== null ? cache : {};
  const isMemoized = cache === "memoized";
  const checks: readonly (readonly [isFine: boolean, what: string, fix: string])[] = [
    [typeof compute === "function", "has no compute function", "Add compute(context, signal)"],
    [
      isMemoized || reason !== undefined,
      "has no cache tag",
      'Set cache to "memoized" or { volatile: "why it changes" }',
    ],
    [
      isMemoized || (typeof reason === "string" && reason.length >= minReasonCharacters),
      `gives "${reason}" as the reason to be volatile`,
      `Say why in ${minReasonCharacters} characters or more`,
    ],
    [
      ["delta", "tail", "prefix"].includes(deliver),
      `has deliver ${JSON.stringify(deliver)}`,
      "Use delta, tail or prefix",
    ],
  ];
  const problem = checks.find(([isFine]) => !isFine);
  if (problem === undefined) return body;
  throw pluginError("section-invalid", `Section "${section}" ${problem[1]}`, { plugin, section, fix: problem[2] });
}
