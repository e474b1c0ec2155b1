import type { Effect, KeyValue, PermissionRequest } from "@quire/core";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Grants } from "./grants.js";
import { createGrants } from "./grants.js";
import type { Policy } from "./options.js";
import { permissionOptions } from "./options.js";

/** A new folder with `home` and, in it, a `project`. */
export async function newPlace(): Promise<{ home: string; projectRoot: string; cwd: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "quire-permissions-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  const projectRoot = join(home, "project");
  await mkdir(join(projectRoot, "src"), { recursive: true });
  return { home, projectRoot, cwd: projectRoot };
}

const effects: Readonly<Record<string, Effect>> = {
  "tools-files/write": "write",
  "tools-files/edit": "write",
  "tools-shell/bash": "run",
};

/** A request for a tool by its full name, as the host hands it to the gates. */
export function requestFor(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  over: Partial<PermissionRequest> = {},
): PermissionRequest {
  return {
    tool,
    effect: effects[tool] ?? "read",
    call: { type: "tool-call", id: "call-1", name: tool.slice(tool.lastIndexOf("/") + 1), args },
    reasons: [],
    cwd: "/nowhere/home/project",
    projectRoot: "/nowhere/home/project",
    home: "/nowhere/home",
    quireHome: "/nowhere/home/.quire",
    trusted: true,
    env: () => undefined,
    childEnv: () => ({}),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve(null),
    session: { id: "session-1", interactive: true, depth: 0 },
    model: { provider: "rehearsal", id: "tour" },
    turnId: "turn-1",
    request: 1,
    signal: new AbortController().signal,
    callId: "call-1",
    update: () => undefined,
    ask: () => Promise.resolve(null),
    ...over,
  };
}

export function policyOf(permissions: Readonly<Record<string, unknown>>): Policy {
  return permissionOptions.parse({ permissions }).permissions;
}

/** Grants in memory, one store for the user and one for each session, as the host would give. */
export function memoryGrants(): { grants: Grants; user: Map<string, unknown> } {
  const user = new Map<string, unknown>();
  const sessions = new Map<string, Map<string, unknown>>();
  const cell = (values: Map<string, unknown>): KeyValue => ({
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => {
      values.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  });
  const session = (id: string): KeyValue => {
    const values = sessions.get(id) ?? new Map<string, unknown>();
    sessions.set(id, values);
    return cell(values);
  };
  return { grants: createGrants({ user: cell(user), session }), user };
}
