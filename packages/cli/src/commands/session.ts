import { randomBytes } from "node:crypto";
import { messageFormatVersion, type Config } from "@quire/core";
import { loadModels, type Loaded, type SessionStore } from "@quire/loader";
import { sessionBill } from "../bill/session-bill.js";
import type { ExitCode } from "../exit-code.js";
import { count } from "../output/count.js";
import { table } from "../output/table.js";
import { loadAll } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { showSession } from "./show-session.js";

/** `agent session list | show ID | export ID | fork ID`. An id may be shortened. */
export async function sessionCommand(context: CommandContext): Promise<ExitCode> {
  const loaded = await loadAll(context.launch, context.flags);
  const { sessions } = loaded;
  const verb = context.path.split(" ")[1];
  if (verb === "list") return list(context, loaded);
  const id = await sessions.resolveId(context.operands[0] ?? "");
  if (verb === "fork") return fork(context, sessions, id);
  const records: Config[] = [];
  for await (const record of sessions.read(id)) records.push(record);
  if (verb === "show") {
    const { models, diagnostics } = await loadModels(loaded.place.quireHome);
    for (const diagnostic of diagnostics) context.sink.report(diagnostic);
    const bill = sessionBill(records, models);
    printResult(context, { id, file: sessions.path(id), bill, records }, showSession(records, bill));
  } else {
    context.streams.out.write(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  return 0;
}

async function list(context: CommandContext, { sessions, place }: Loaded): Promise<ExitCode> {
  const found = await sessions.list(context.options.all ? undefined : place.projectRoot);
  const rows = found.map(({ id, updatedAt, turns, model, projectRoot, title }) => [
    id,
    updatedAt.slice(0, 16).replace("T", " "),
    count(turns, "turn"),
    model ?? "",
    ...(context.options.all ? [projectRoot] : []),
    title,
  ]);
  printResult(context, { sessions: found }, table(rows));
  if (found.length === 0) context.streams.note(`there are no sessions of ${place.projectRoot}`);
  return 0;
}

/** Copies a session under a new id; the copy names its parent. */
async function fork(context: CommandContext, sessions: SessionStore, parent: string): Promise<ExitCode> {
  const at = new Date().toISOString();
  const id = `${at.replaceAll(/[-:]/g, "").slice(0, 15).replace("T", "-")}-${randomBytes(3).toString("hex")}`;
  let head: Config = { type: "session", format: messageFormatVersion };
  const rest: Config[] = [];
  for await (const record of sessions.read(parent)) {
    if (record["type"] === "session") head = record;
    else rest.push(record);
  }
  await sessions.append(id, { ...head, id, at, parent });
  for (const record of rest) await sessions.append(id, record);
  printResult(context, { id, parent }, `${id}\n`);
  return 0;
}
