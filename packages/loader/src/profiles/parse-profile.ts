import { basename } from "node:path";
import { QuireError, type Config, type Diagnostic } from "@quire/core";
import type { AgentProfile } from "../contract.js";
import { parseFrontMatter } from "../markdown/front-matter.js";
import { maxProfileBytes, type ProfileFile } from "./profile-files.js";

/** Reads one profile, or says why it does not count. Keys it does not know are other programs' business. */
export function parseProfile(source: ProfileFile): AgentProfile | Diagnostic {
  const { file, bytes, scope, kind } = source;
  if (bytes instanceof Error) return rejected(file, `cannot be read: ${bytes.message}`, "Make it a file you may read");
  if (bytes.length > maxProfileBytes) return rejected(file, `is larger than ${maxProfileBytes} bytes`, "Shorten it");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return rejected(file, "is not UTF-8 text", "Save it as UTF-8");
  }
  let matter;
  try {
    matter = parseFrontMatter(text);
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    const { message, at } = error.diagnostic;
    return rejected(file, `does not count: ${message}`, "Mend the front matter", at?.line);
  }
  const id = basename(file, ".md");
  const body = matter.body.replace(/^(?:[ \t]*\r?\n)+/, "");
  const skipped = matter.body.slice(0, matter.body.length - body.length).split("\n").length - 1;
  const instructions = body.trim();
  const description = oneLine(matter.data["description"]);
  const model = oneLine(matter.data["model"]);
  const tools = toolNames(matter.data);
  return {
    id,
    name: oneLine(matter.data["name"]) || id,
    ...(description === "" ? {} : { description }),
    ...(instructions === "" ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools }),
    ...(model === "" || model === "inherit" ? {} : { model }),
    kind,
    scope,
    file,
    line: matter.bodyLine + skipped,
  };
}

/** A list, or words with commas between them. `*` and nothing at all mean every tool. */
function toolNames({ tools }: Config): readonly string[] | undefined {
  const names = typeof tools === "string" ? tools.split(",") : Array.isArray(tools) ? tools.map(String) : [];
  const clean = names.map((name) => name.trim()).filter((name) => name !== "");
  return clean.includes("*") || (clean.length === 0 && !Array.isArray(tools)) ? undefined : clean;
}

function oneLine(value: unknown): string {
  return typeof value === "string" ? value.trim().replaceAll(/\s+/g, " ") : "";
}

function rejected(file: string, what: string, fix: string, line?: number): Diagnostic {
  return {
    code: "profile-invalid",
    level: "warn",
    message: `The profile ${file} ${what}`,
    at: { kind: "file", file, ...(line === undefined ? {} : { line }) },
    fix,
  };
}
