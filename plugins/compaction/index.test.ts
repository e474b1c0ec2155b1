import { expect, test } from "vitest";
import { ProviderError, type Caps } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import { fullness } from "./fullness.js";
import compaction from "./index.js";

const caps: Pick<Caps, "contextTokens" | "outputTokens"> = { contextTokens: 1_000, outputTokens: 100 };

test.for([
  { usage: { input: 400, cacheRead: 300, cacheWrite: 100, output: 50 }, want: 0.95 },
  { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, want: 0.1 },
])("counts what was sent, what came back and the next reply: $want", ({ usage, want }) => {
  expect(fullness(usage, caps)).toBeCloseTo(want);
});

test("a large possible reply does not eat the window", () => {
  const usage = { input: 500, cacheRead: 0, cacheWrite: 0, output: 0 };
  expect(fullness(usage, { contextTokens: 1_000, outputTokens: 900 })).toBeCloseTo(0.65);
});

test("near the limit the history is compacted before the next request", async () => {
  const usage = { input: 190_000, cacheRead: 0, cacheWrite: 0, output: 10 };
  const provider = fakeProvider({ replies: [{ text: "first", usage }, "A summary.", "second"] });
  const host = await createTestHost({ plugins: [compaction, provider] });
  const { signal } = new AbortController();
  await host.session.send("one", signal).result;
  expect(await host.session.send("two", signal).result).toMatchObject({ text: "second" });
  const [summary, words] = host.session.messages;
  expect(JSON.stringify(summary)).toContain("A summary.");
  expect(words).toMatchObject({ role: "user", content: [{ text: "two" }] });
});

test("switched off, nothing is compacted without being asked", async () => {
  const usage = { input: 190_000, cacheRead: 0, cacheWrite: 0, output: 10 };
  const provider = fakeProvider({ replies: [{ text: "first", usage }, "second"] });
  const host = await createTestHost({ plugins: [compaction, provider], config: { compaction: { auto: false } } });
  const { signal } = new AbortController();
  await host.session.send("one", signal).result;
  expect(await host.session.send("two", signal).result).toMatchObject({ text: "second" });
});

test("a request that was too large is tried once more after a compaction", async () => {
  let attempts = 0;
  const host = await createTestHost({
    plugins: [
      compaction,
      fakeProvider({
        replies: (request) => {
          const last = request.messages.at(-1);
          if (JSON.stringify(last).includes("about to be replaced")) return "A summary.";
          attempts += 1;
          if (attempts === 2)
            throw new ProviderError({ code: "context-overflow", level: "error", message: "too long" }, { status: 400 });
          return `answer ${attempts}`;
        },
      }),
    ],
  });
  const { signal } = new AbortController();
  await host.session.send("one", signal).result;
  expect(await host.session.send("two", signal).result).toMatchObject({ stop: "end", text: "answer 3" });
  expect(JSON.stringify(host.session.messages[0])).toContain("A summary.");
});
