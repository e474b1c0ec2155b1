import path from "node:path";
import type { Origin } from "../contracts/diagnostic.js";
import type { HostEdit } from "../contracts/host.js";
import type { PluginInfo } from "../contracts/plugin.js";
import type { At, Replacement, SectionBody, SectionRegistry } from "../contracts/section.js";
import { pluginError } from "../errors.js";
import { originOf } from "../order/plugin-shape.js";
import { createSetUpGate } from "../set-up-gate.js";
import { ranksPerPlugin, type EditAction, type EditRecord, type SectionRecord } from "./edit-record.js";
import { validateSectionBody, validateSectionName } from "./validate-section.js";

/** What plugins and host want of the prompt, collected during set-up. */
export interface SectionRecords {
  face(plugin: PluginInfo): SectionRegistry;
  /** Takes back all a plugin recorded: its set-up failed. */
  withdraw(plugin: string): void;
  close(): void;
  sections(): readonly SectionRecord[];
  edits(): readonly EditRecord[];
}

/** @param host The edits from config, files and flags. */
export function createSectionRecords(host: readonly HostEdit[]): SectionRecords {
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
    const record = (section: string, action: EditAction, by: Origin = originOf(plugin)): void => {
      gate.check(owner, `sections.${action.op}`);
      edits.push({ ...action, section, layer, rank: order * ranksPerPlugin + ++count, by });
    };
    const replace = (op: "replace" | "replace-group", section: string, content: Replacement): void => {
      const { body, by } = toBody(content, section, plugin);
      record(section, { op, body, keepsScope: typeof content === "string" && layer === "plugin" }, by);
    };
    const insert = (op: "append" | "prepend", at: At, content: Replacement, given?: string): void => {
      const short = given ?? `${op}-${++parts}`;
      const name = short.startsWith(`${owner}/`) ? short : `${owner}/${short}`;
      validateSectionName(name, owner);
      const { body, by } = toBody(content, name, plugin);
      if ("section" in at) record(at.section, { op, body, name }, by);
      else record(name, { op: "add", body, slot: at.slot, isFirst: op === "prepend" }, by);
    };
    return {
      register(spec) {
        gate.check(owner, "sections.register");
        validateSectionName(spec.name, owner);
        validateSectionBody(spec, spec.name, owner);
        sections.push({ spec, plugin: owner, rank: order, by: originOf(plugin) });
      },
      replace: (section, content) => replace("replace", section, content),
      replaceGroup: (group, content) => replace("replace-group", group, content),
      wrap: (section, wrap) => record(section, { op: "wrap", wrap }),
      patch: (section, patch) => record(section, { op: "patch", patch }),
      append: (at, content, name) => insert("append", at, content, name),
      prepend: (at, content, name) => insert("prepend", at, content, name),
      remove: (section) => record(section, { op: "remove" }),
    };
  };

  return {
    face,
    withdraw(plugin) {
      gate.shutOut(plugin);
      sections = sections.filter((record) => record.plugin !== plugin);
      edits = edits.filter((record) => record.by.plugin !== plugin);
    },
    close: () => gate.close(),
    sections: () => sections,
    edits: () => [...hostEdits, ...edits],
  };
}

/** The body of a text, of a file beside the plugin's own, or as it is. */
function toBody(content: Replacement, name: string, plugin: PluginInfo): { body: SectionBody; by?: Origin } {
  if (typeof content === "string") return { body: textBody(content) };
  if ("file" in content) {
    const file = path.resolve(path.dirname(plugin.file ?? "/"), content.file);
    return { body: fileBody(file), by: { kind: "file", file, plugin: plugin.name } };
  }
  validateSectionBody(content, name, plugin.name);
  return { body: content };
}

function textBody(text: string): SectionBody {
  return { cache: "memoized", compute: () => text };
}

function fileBody(file: string): SectionBody {
  return {
    cache: "memoized",
    async compute(context) {
      const text = await context.read(file);
      if (text !== null) return text.replace(/\r?\n$/, "");
      const fix = "Create it, or correct the path";
      throw pluginError("section-file-missing", `The file ${file} is missing`, { fix });
    },
  };
}

function hostEditRecord(edit: HostEdit, rank: number): EditRecord {
  const { layer, by, op, section, content = "" } = edit;
  const base = { section, layer, rank, by };
  const body = typeof content === "string" ? textBody(content) : content;
  if (op === "replace" || op === "replace-group") return { ...base, op, body, keepsScope: false };
  if (op === "append" || op === "prepend") return { ...base, op, body, name: `user/${op}-${rank + 1}` };
  if (op === "add") return { ...base, op, body, slot: edit.slot ?? "end" };
  return op === "pin" ? { ...base, op, plugin: edit.plugin ?? "" } : { ...base, op };
}
