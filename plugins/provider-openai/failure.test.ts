import { expect, test } from "vitest";
import { redact, toProviderError } from "./failure.js";

const context = {
  provider: "openai-chat",
  url: "https://x.example",
  model: "m",
  keyName: "A_KEY",
  api: "openai-chat",
  secrets: [],
};

test.for([
  { status: 401, fix: "Set A_KEY to a valid key" },
  { status: 404, fix: "Check the model m" },
  { status: 529, fix: "Try again later" },
])("says how to mend status $status", ({ status, fix }) => {
  const { diagnostic, failure } = toProviderError({ status, error: { message: "No." } }, context);
  expect(diagnostic.message).toBe(`openai-chat answered ${status}: No.`);
  expect(diagnostic.fix).toContain(fix);
  expect(failure).toEqual({ status });
});

test.for([
  { error: { type: "server_error" }, status: 500 },
  { error: { code: "rate_limit_exceeded", type: "tokens" }, status: 429 },
  { error: { code: 502 }, status: 502 },
])("gives an error inside a stream the status $status", ({ error, status }) => {
  expect(toProviderError(error, context).failure.status).toBe(status);
});

test("a 404 names /v1 only where the base URL lacks it", () => {
  const fixAt = (url: string, api: string) => toProviderError({ status: 404 }, { ...context, url, api }).diagnostic.fix;
  expect(fixAt("https://x.example", "openai-chat")).toContain("which ends in /v1");
  expect(fixAt("https://x.example", "openai-responses")).toContain("which ends in /v1");
  expect(fixAt("https://x.example/v1", "openai-chat")).not.toContain("ends in");
});

test("does not advise to wait when the credit is used up", () => {
  const error = { status: 429, code: "insufficient_quota", error: { message: "No credit." } };
  expect(toProviderError(error, context).diagnostic.fix).toBe("Check the account's credit");
});

test("reads retry-after-ms before retry-after", () => {
  const headers = new Headers({ "retry-after-ms": "250", "retry-after": "9" });
  expect(toProviderError({ status: 429, headers }, context).failure.retryAfterMs).toBe(250);
});

test("shortens an endless answer and tells the chain of causes", () => {
  expect(toProviderError({ status: 502, error: { message: "x".repeat(5000) } }, context).message.length).toBeLessThan(
    500,
  );
  const error = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  expect(toProviderError(error, context).message).toContain("x.example) broke off: fetch failed: connect ECONNREFUSED");
});

test("redacts every occurrence of a secret and leaves short words alone", () => {
  expect(redact("a sk-12345 b sk-12345", ["sk-12345", "b"])).toBe("a [key] b [key]");
});
