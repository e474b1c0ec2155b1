import type { Diagnostic, PermissionAnswer, PermissionRequest } from "@quire/core";
import { expect, test } from "vitest";
import { answer } from "./answer.js";
import type { Grants } from "./grants.js";
import { judge } from "./judge.js";
import { memoryGrants, newPlace, policyOf, requestFor } from "./request.fixture.js";

async function bashRequest(
  command: string,
  reply: string | null,
  over: Partial<PermissionRequest> = {},
): Promise<{ request: PermissionRequest; questions: string[] }> {
  const questions: string[] = [];
  const ask = (question: string): Promise<string | null> => {
    questions.push(question);
    return Promise.resolve(reply);
  };
  const request = requestFor("tools-shell/bash", { command }, { ...(await newPlace()), ask, ...over });
  return { request, questions };
}

function respond(request: PermissionRequest, grants: Grants): Promise<PermissionAnswer | undefined> {
  return answer(request, grants, () => undefined);
}

test("the question shows tool, command, reason and what each answer means", async () => {
  const { request, questions } = await bashRequest("npm test", "y", { reasons: ["mode asks"] });
  await respond(request, memoryGrants().grants);
  expect(questions).toEqual([
    "Allow bash?\n  npm test\n  (mode asks)\n" +
      "y yes, n no, s yes and in this session exactly this command, p yes and in this project exactly this command",
  ]);
});

test("the question cannot be forged by control characters, and says what it does not show", async () => {
  const { request, questions } = await bashRequest(`a\u001B[2Kb\rc\u202Ed\n${"x".repeat(5000)}`, "n");
  await respond(request, memoryGrants().grants);
  expect(questions[0]).toContain("a\\u001b[2Kb\\u000dc\\u202ed\n  xxx");
  expect(questions[0]).toMatch(/… \d+ characters are not shown …/);
});

test.for([
  { reply: "y", want: { allow: true, remember: "once" } },
  { reply: " Yes ", want: { allow: true, remember: "once" } },
  { reply: "s", want: { allow: true, remember: "session" } },
  { reply: "p", want: { allow: true, remember: "project" } },
  { reply: "n", want: { allow: false } },
  { reply: "", want: { allow: false } },
  { reply: "sure", want: { allow: false } },
  { reply: null, want: { allow: false } },
])("the reply $reply", async ({ reply, want }) => {
  const { request } = await bashRequest("npm test", reply);
  expect(await respond(request, memoryGrants().grants)).toEqual(want);
});

test("where nobody is there the plugin gives no answer and asks nothing", async () => {
  const session = { id: "s", interactive: false, depth: 0 };
  const { request, questions } = await bashRequest("npm test", "y", { session });
  expect(await respond(request, memoryGrants().grants)).toBeUndefined();
  expect(questions).toEqual([]);
});

test("an answer for the session holds in it for exactly that call and in no other session", async () => {
  const { grants, user } = memoryGrants();
  const policy = policyOf({});
  const { request } = await bashRequest("rm *.tmp", "s");
  await respond(request, grants);
  const level = async (over: Partial<PermissionRequest>, command = "rm *.tmp"): Promise<string> => {
    const call = { ...request.call, args: { command } };
    return (await judge({ ...request, call, ...over }, policy, grants)).level;
  };
  expect(await level({})).toBe("allow");
  expect(await level({}, "rm all.tmp")).toBe("ask");
  expect(await level({ session: { ...request.session, id: "session-2" } })).toBe("ask");
  expect(user.size).toBe(0);
});

test("an answer for the project holds in later sessions of that project only, and is kept in the user's store", async () => {
  const { grants, user } = memoryGrants();
  const policy = policyOf({});
  const { request } = await bashRequest("npm test", "p");
  await respond(request, grants);
  await respond(request, grants);
  expect(Object.fromEntries(user)).toEqual({
    [`allowed:${request.projectRoot}`]: [{ tool: "tools-shell/bash", argument: "npm test" }],
  });
  const later = { ...request, session: { ...request.session, id: "later" } };
  expect((await judge(later, policy, grants)).level).toBe("allow");
  expect((await judge({ ...later, projectRoot: "/elsewhere" }, policy, grants)).level).toBe("ask");
});

test("a deny rule and plan mode beat what is remembered", async () => {
  const { grants } = memoryGrants();
  const { request } = await bashRequest("git push", "p");
  await respond(request, grants);
  expect((await judge(request, policyOf({ deny: ["bash(git push*)"] }), grants)).level).toBe("deny");
  expect((await judge(request, policyOf({ mode: "plan" }), grants)).level).toBe("deny");
  expect((await judge(request, policyOf({ ask: ["bash(git push*)"] }), grants)).level).toBe("allow");
});

test("a remembered path is the place it leads to, however it is written", async () => {
  const { grants } = memoryGrants();
  const place = await newPlace();
  const request = requestFor("tools-files/write", { path: "src/a.ts" }, { ...place, ask: () => Promise.resolve("s") });
  await respond(request, grants);
  const same = { ...request, call: { ...request.call, args: { path: `${place.projectRoot}/src/../src/a.ts` } } };
  expect((await judge(same, policyOf({}), grants)).level).toBe("allow");
});

test("a damaged store allows nothing, and an answer that cannot be kept holds once and is reported", async () => {
  const { grants, user } = memoryGrants();
  const { request } = await bashRequest("npm test", "p");
  user.set(`allowed:${request.projectRoot}`, { broken: true });
  expect((await judge(request, policyOf({}), grants)).level).toBe("ask");
  const reports: Pick<Diagnostic, "code">[] = [];
  const failing: Grants = { ...grants, add: () => Promise.reject(new Error("disk full")) };
  const given = await answer(request, failing, (diagnostic) => reports.push(diagnostic));
  expect(given?.allow).toBe(true);
  expect(reports).toMatchObject([{ code: "permission-not-kept", level: "warn" }]);
});
