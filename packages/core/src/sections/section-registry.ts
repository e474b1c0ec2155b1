import path from "node:path";
import type { Origin } from "../contracts/diagnostic.js";
import type { HostEdit } from "../contracts/host.js";
import type { PluginInfo } from "../contracts/plugin.js";
import type { At, Replacement, SectionBody, SectionRegistry, SectionSpec } from "../contracts/section.js";
import { PluginError } from "../errors.js";
import type { EditRecord, SectionRecord } from "./edit-record.js";
import { validateSectionBody, validateSectionName } from "./validate-section.js";

export interface SectionRecords {
  face(plugin: PluginInfo): SectionRegistry;
  /** Takes back all a plugin recorded: its set-up failed. */
  drop(plugin: string): void;
  close(): void;
  readonly sections: readonly SectionRecord[];
  readonly edits: readonly EditRecord[];
}

/** Collects sections and edits during set-up; `host` are the edits from config, files and flags. */
export function createSectionRecords(host: readonly HostEdit[]): SectionRecords {
  let sections: SectionRecord[] = [];
  let edits: EditRecord[] = host.map((edit, rank) => hostEditRecord(edit, rank));
  let isOpen = true;
  let rank = 0;

  const face = (plugin: PluginInfo): SectionRegistry => {
    const by: Origin = {
      kind: "plugin",
      plugin: plugin.name,
      ...(plugin.file === undefined ? {} : { file: plugin.file }),
    };
    const layer = plugin.tier === "flags" ? "flags" : "plugin";
    const order = ++rank;
    let count = 0;
    let appended = 0;
    const assertOpen = (method: string) => {
      if (isOpen) return;
      const message = `sections.${method} was called after set-up`;
      throw new PluginError({
        code: "registry-closed",
        level: "error",
        message,
        plugin: plugin.name,
        fix: "Call it in setup",
      });
    };
    const base = () => ({ layer, by, hash: plugin.hash, rank: order * 10_000 + ++count }) as const;
    const toBody = (
      by: Replacement,
      where: string,
    ): { body: SectionBody; isText: boolean; origin: Origin | undefined } => {
      if (typeof by === "string") return { ...textBody(by), isText: true, origin: undefined };
      if ("file" in by) {
        const file = path.resolve(path.dirname(plugin.file ?? "/"), by.file);
        return { ...fileBody(file), isText: true, origin: { kind: "file", file, plugin: plugin.name } };
      }
      validateSectionBody(by, where, plugin.name);
      return { body: by, isText: false, origin: undefined };
    };
    const insert = (op: "append" | "prepend", at: At, content: Replacement, name?: string) => {
      assertOpen(op);
      const short = name ?? `${plugin.name}/${op}-${++appended}`;
      const full = short.startsWith(`${plugin.name}/`) ? short : `${plugin.name}/${short}`;
      validateSectionName(full, plugin.name);
      const { body, origin } = toBody(content, full);
      const common = { ...base(), ...(origin === undefined ? {} : { by: origin }), body };
      if ("slot" in at) edits.push({ ...common, op: "add", section: full, slot: at.slot, isFirst: op === "prepend" });
      else edits.push({ ...common, op, section: at.section, name: full });
    };
    return {
      register(spec: SectionSpec) {
        assertOpen("register");
        validateSectionName(spec.name, plugin.name);
        validateSectionBody(spec, spec.name, plugin.name);
        sections.push({ spec, plugin: plugin.name, hash: plugin.hash, rank: order, by });
      },
      replace(section, by) {
        assertOpen("replace");
        const { origin, ...rest } = toBody(by, section);
        edits.push({
          ...base(),
          ...(origin === undefined ? {} : { by: origin }),
          op: "replace",
          section,
          ...rest,
        });
      },
      replaceGroup(group, by) {
        assertOpen("replaceGroup");
        const { origin, ...rest } = toBody(by, group);
        edits.push({
          ...base(),
          ...(origin === undefined ? {} : { by: origin }),
          op: "replace-group",
          section: group,
          ...rest,
        });
      },
      wrap(section, fn) {
        assertOpen("wrap");
        edits.push({ ...base(), op: "wrap", section, wrap: fn });
      },
      patch(section, patch) {
        assertOpen("patch");
        edits.push({ ...base(), op: "patch", section, patch });
      },
      append: (at, content, name) => insert("append", at, content, name),
      prepend: (at, content, name) => insert("prepend", at, content, name),
      remove(section, why) {
        assertOpen("remove");
        edits.push({ ...base(), op: "remove", section, why });
      },
    };
  };

  return {
    face,
    drop(plugin) {
      sections = sections.filter((record) => record.plugin !== plugin);
      edits = edits.filter((record) => record.hash === hostHash || record.by.plugin !== plugin);
    },
    close: () => void (isOpen = false),
    get sections() {
      return sections;
    },
    get edits() {
      return edits;
    },
  };
}

function textBody(text: string): { body: SectionBody } {
  return { body: { cache: "memoized", compute: () => text } };
}

function fileBody(file: string): { body: SectionBody } {
  const compute: SectionBody["compute"] = async (context) => {
    const text = await context.read(file);
    if (text !== null) return text.replace(/\r?\n$/, "");
    const message = `The file ${file} is missing`;
    throw new PluginError({
      code: "section-file-missing",
      level: "error",
      message,
      fix: "Create it, or correct the path",
    });
  };
  return { body: { cache: "memoized", compute } };
}

/** Stands where a plugin's edit has the hash of its code. */
const hostHash = "host";

function hostEditRecord(edit: HostEdit, rank: number): EditRecord {
  const base = { layer: edit.layer, rank, by: edit.by, hash: hostHash } as const;
  const isText = typeof edit.content === "string" || edit.content === undefined;
  const body: SectionBody = typeof edit.content === "object" ? edit.content : textBody(edit.content ?? "").body;
  const { section } = edit;
  switch (edit.op) {
    case "replace":
    case "replace-group":
      return { ...base, op: edit.op, section, body, isText };
    case "append":
    case "prepend":
      return { ...base, op: edit.op, section, name: `user/${edit.op}-${rank + 1}`, body };
    case "add":
      return { ...base, op: "add", section, slot: edit.slot ?? "end", body };
    case "pin":
      return { ...base, op: "pin", section, plugin: edit.plugin ?? "" };
    default:
      return { ...base, op: "remove", section, why: edit.why ?? "removed by the user" };
  }
}
