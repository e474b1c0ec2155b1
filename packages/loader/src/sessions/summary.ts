import { open, type FileHandle } from "node:fs/promises";
import type { Config } from "@quire/core";
import type { SessionSummary } from "../contract.js";
import { isRecord } from "../record.js";
import { parseRecord } from "./session-log.js";

const edgeBytes = 65_536;
const titleLength = 80;

/** The head of a log: its first record. Null when it is no log of a session. */
export async function readHead(file: string): Promise<Config | null> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return null;
  try {
    if (!(await handle.stat()).isFile()) return null;
    const [first = ""] = (await readAt(handle, 0, edgeBytes)).split("\n", 1);
    const record = parseRecord(first);
    return record?.["type"] === "session" ? record : null;
  } finally {
    await handle.close();
  }
}

/** What a listing shows of a session, from the beginning and the end of its log and a count of its turns. */
export async function readSummary(file: string, id: string): Promise<SessionSummary | null> {
  const handle = await open(file, "r").catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    if (!found.isFile()) return null;
    const { size, mtime } = found;
    const records = recordsIn(await readAt(handle, 0, edgeBytes));
    const head = records[0];
    if (head?.["type"] !== "session") return null;
    const last = recordsIn(await readAt(handle, Math.max(0, size - edgeBytes), edgeBytes));
    const { turns, lastStart } = await countTurns(handle, size);
    const model = modelName(lastStart?.["model"]);
    const parent = head["parent"];
    const createdAt = text(head["at"]) ?? mtime.toISOString();
    return {
      id,
      createdAt,
      updatedAt: text(last.at(-1)?.["at"]) ?? mtime.toISOString(),
      projectRoot: text(head["projectRoot"]) ?? "",
      cwd: text(head["cwd"]) ?? "",
      title: titleOf(records),
      turns,
      ...(model === undefined ? {} : { model }),
      ...(typeof parent === "string" ? { parent } : {}),
    };
  } finally {
    await handle.close();
  }
}

const turnStart = Buffer.from('{"type":"turn-start"');

/** Counts lines by how they begin, without parsing them: message lines may be long. */
async function countTurns(handle: FileHandle, size: number): Promise<{ turns: number; lastStart?: Config }> {
  const chunk = Buffer.alloc(262_144);
  let turns = 0;
  let lastAt = -1;
  for (let position = 0; position < size; position += chunk.length - turnStart.length) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    for (let at = read.indexOf(turnStart); at >= 0; at = read.indexOf(turnStart, at + 1)) {
      const isLineStart = at === 0 ? position === 0 : read[at - 1] === 0x0a;
      if (!isLineStart || position + at <= lastAt) continue;
      turns++;
      lastAt = position + at;
    }
  }
  if (lastAt < 0) return { turns };
  const [line = ""] = (await readAt(handle, lastAt, edgeBytes)).split("\n", 1);
  const lastStart = parseRecord(line);
  return lastStart === null ? { turns } : { turns, lastStart };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.toString("utf8", 0, bytesRead);
}

function recordsIn(textOfLog: string): readonly Config[] {
  return textOfLog
    .split("\n")
    .map(parseRecord)
    .filter((record) => record !== null);
}

function titleOf(records: readonly Config[]): string {
  for (const record of records) {
    const message = record["message"];
    if (record["type"] !== "message" || !isRecord(message) || message["role"] !== "user") continue;
    const blocks = Array.isArray(message["content"]) ? (message["content"] as readonly unknown[]) : [];
    const words = blocks.flatMap((block) => (isRecord(block) ? (text(block["text"]) ?? []) : [])).join(" ");
    const line = Array.from(words.replaceAll(/\s+/g, " ").trim());
    if (line.length > 0)
      return line.length > titleLength ? `${line.slice(0, titleLength - 1).join("")}…` : line.join("");
  }
  return "";
}

function modelName(model: unknown): string | undefined {
  if (typeof model === "string") return model;
  if (!isRecord(model)) return undefined;
  const [provider, id] = [text(model["provider"]), text(model["id"])];
  return provider === undefined || id === undefined ? undefined : `${provider}/${id}`;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
