import { expect, test } from "vitest";
import { collect, openBed, plugin } from "../support/core-bed.js";

test("turns side by side are told their own findings, and no other's", async () => {
  const noisy = plugin("noisy", (host) =>
    host.hooks.beforeAgentStart.tap(async (start) => {
      const report = (when: string) => host.report({ code: when, level: "info", message: `${when}: ${start.prompt}` });
      report("before");
      await new Promise((resolve) => setTimeout(resolve, start.prompt === "slow" ? 40 : 10));
      report("after");
    }),
  );
  const bed = await openBed({ plugins: [noisy] });
  const other = await bed.host.open({ cwd: "/repo" });
  const third = await bed.host.open({ cwd: "/repo" });
  const run = async (session: typeof other, text: string) => {
    const events = await collect(session.send(text, new AbortController().signal));
    return events.flatMap((event) => (event.type === "diagnostic" ? [event.diagnostic.message] : []));
  };
  const said = (text: string) => [`before: ${text}`, `after: ${text}`];
  for (const round of ["first", "second"]) {
    const all = await Promise.all([run(bed.session, "slow"), run(other, round), run(third, "third")]);
    expect(all).toEqual([said("slow"), said(round), said("third")]);
  }
  expect(await run(other, "alone")).toEqual(said("alone"));
});
