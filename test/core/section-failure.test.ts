import { expect, test } from "vitest";
import { PluginError, type SectionBody, type SectionContent } from "@quire/core";
import { openBed, plugin, textSection } from "../support/core-bed.js";
import { never } from "../support/scripted-provider.js";

const healthy = plugin("healthy", textSection("healthy/text", "end", "Healthy."));

function failing(body: Partial<SectionBody>) {
  return plugin("failing", (host) =>
    host.sections.register({ name: "failing/it", slot: "rules", cache: "memoized", compute: () => "x", ...body }),
  );
}

const faults: readonly { name: string; code: string; body: Partial<SectionBody>; message: string }[] = [
  { name: "hangs", code: "section-timeout", body: { compute: never }, message: "did not settle" },
  {
    name: "throws",
    code: "section-failed",
    body: {
      compute: () => {
        throw new Error("no branch");
      },
    },
    message: "no branch",
  },
  {
    name: "rejects",
    code: "section-failed",
    body: { compute: () => Promise.reject(new Error("no network")) },
    message: "no network",
  },
  {
    name: "is too large",
    code: "section-too-large",
    body: { compute: () => "x".repeat(5_000_000) },
    message: "5000000 bytes",
  },
  {
    name: "has the wrong type",
    code: "section-content-invalid",
    body: { compute: () => 42 as never },
    message: "a number",
  },
  {
    name: "has an unknown kind",
    code: "section-content-invalid",
    body: { compute: () => ({ kind: "html", html: "<b>" }) as never },
    message: "kind html",
  },
  {
    name: "fails to tell its key",
    code: "section-failed",
    body: {
      key: () => {
        throw new Error("no key");
      },
    },
    message: "no key",
  },
  {
    name: "fails to judge its condition",
    code: "section-failed",
    body: {
      when: () => {
        throw new Error("no condition");
      },
    },
    message: "no condition",
  },
];

test.for(faults)("a section that $name is left out, the turn goes on, and a report names it", async (row) => {
  const bed = await openBed({ plugins: [failing(row.body), healthy], timeScale: 0.02 });
  expect(await bed.send()).toMatchObject({ stop: "end", text: "ok" });
  expect(bed.provider.requests[0]?.system.text).toBe("Healthy.");
  expect(bed.diagnostics).toEqual([
    expect.objectContaining({
      code: row.code,
      level: "error",
      plugin: "failing",
      section: "failing/it",
      message: expect.stringContaining(row.message),
    }),
  ]);
  const prompt = await bed.session.prompt();
  expect(prompt.leftOut).toEqual([{ section: "failing/it", why: "failed" }]);
});

test.for(faults)("strict: a section that $name stops the turn before any request", async ({ body, code }) => {
  const bed = await openBed({ plugins: [failing(body), healthy], timeScale: 0.02, strict: true });
  expect(await bed.send()).toMatchObject({ stop: "error", error: { code, plugin: "failing" } });
  expect(bed.provider.requests).toEqual([]);
});

test("many broken sections together: the prompt arrives in one section's time, with a diagnostic each", async () => {
  const many = plugin("many", (host) => {
    for (const { name, body } of faults.slice(0, 4)) {
      const own = `many/${name.replaceAll(" ", "-")}`;
      host.sections.register({ name: own, slot: "rules", cache: "memoized", compute: () => "x", ...body });
    }
    for (const name of ["many/hangs-1", "many/hangs-2", "many/hangs-3", "many/hangs-4"]) {
      host.sections.register({ name, slot: "rules", cache: "memoized", compute: never });
    }
  });
  const bed = await openBed({ plugins: [many, healthy], timeScale: 0.1 });
  const start = performance.now();
  const prompt = await bed.session.prompt();
  // One after another the five that hang would take 1,000 ms.
  expect(performance.now() - start).toBeLessThan(800);
  expect(prompt.text).toBe("Healthy.");
  expect(prompt.diagnostics.map(({ section }) => String(section)).sort()).toEqual([
    "many/hangs",
    "many/hangs-1",
    "many/hangs-2",
    "many/hangs-3",
    "many/hangs-4",
    "many/is-too-large",
    "many/rejects",
    "many/throws",
  ]);
});

test("a hung section's signal is aborted when its time is over", async () => {
  let reason: unknown;
  const body: Partial<SectionBody> = {
    timeoutMs: 500,
    compute: (_context, signal) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      return never();
    },
  };
  const bed = await openBed({ plugins: [failing(body)], timeScale: 0.02 });
  await bed.session.prompt();
  expect(reason).toMatchObject({ message: "did not settle within 10 ms" });
});

test.for(faults.slice(0, 2))("a required section that $name stops the turn with a clear message", async ({ body }) => {
  const bed = await openBed({ plugins: [failing({ ...body, required: true }), healthy], timeScale: 0.02 });
  const result = await bed.send();
  expect(result).toMatchObject({
    stop: "error",
    error: { code: "section-required", plugin: "failing", section: "failing/it" },
  });
  expect(result.error?.fix).toContain("--no-section failing/it");
  expect(bed.provider.requests).toEqual([]);
  expect(bed.session.messages.map(({ role }) => role)).toEqual(["user"]);
});

test("a required section keeps the place and the fix of what went wrong in it", async () => {
  const at = { kind: "file", file: "/home/ada/rules.md", line: 3 } as const;
  const compute = (): never => {
    throw new PluginError({ code: "rules-wrong", level: "error", message: "wrong", at, fix: "Mend line 3" });
  };
  const { error } = await (await openBed({ plugins: [failing({ compute, required: true }), healthy] })).send();
  expect(error).toMatchObject({ code: "section-required", at, fix: "Mend line 3" });
});

test("a section that fails says how to go on without it, and wrong content shows the shapes", async () => {
  const fixOf = async (compute: SectionBody["compute"]) => {
    const bed = await openBed({ plugins: [failing({ compute }), healthy] });
    await bed.session.prompt();
    return bed.diagnostics.find(({ section }) => section === "failing/it")?.fix;
  };
  expect(await fixOf(() => Promise.reject(new Error("bad")))).toBe("Mend it, or start with --no-section failing/it");
  const facts = { kind: "facts", facts: { branch: "main" } } as unknown as SectionContent;
  expect(await fixOf(() => facts)).toContain('{ kind: "facts", facts: [["name", "value"]] }');
});

test("a required section that is merely empty stops nothing", async () => {
  const bed = await openBed({ plugins: [failing({ compute: () => null, required: true }), healthy] });
  expect(await bed.send()).toMatchObject({ stop: "end" });
});

test("with onError stale the last good content stands in, and the failure is reported all the same", async () => {
  let isBroken = false;
  const body: Partial<SectionBody> = {
    cache: { volatile: "changes with every turn", deliver: "prefix" },
    onError: "stale",
    compute: () => {
      if (isBroken) throw new Error("no answer");
      return "Good.";
    },
  };
  const bed = await openBed({ plugins: [failing(body)] });
  expect((await bed.session.prompt()).text).toBe("Good.");
  isBroken = true;
  const stale = await bed.session.prompt();
  expect(stale.text).toBe("Good.");
  expect(stale.sections[0]?.state).toBe("stale");
  expect(stale.diagnostics).toEqual([expect.objectContaining({ code: "section-failed", message: "no answer" })]);
});

test("a wrap that fails or returns nonsense is skipped, and its plugin is named", async () => {
  const wrapping = (name: string, returned: () => string) =>
    plugin(name, (host) => host.sections.wrap("healthy/text", returned));
  const bed = await openBed({
    plugins: [
      healthy,
      wrapping("bad", () => {
        throw new Error("bad wrap");
      }),
      wrapping("worse", () => 7 as never),
      plugin("good", (host) =>
        host.sections.wrap("healthy/text", (was) => (was.kind === "text" ? `[${was.text}]` : was)),
      ),
    ],
  });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("[Healthy.]");
  expect(prompt.diagnostics.map(({ code, plugin, section }) => [code, plugin, section])).toEqual([
    ["wrap-failed", "bad", "healthy/text"],
    ["wrap-failed", "worse", "healthy/text"],
  ]);
});

test("a text put inside a section fails alone: the section stays", async () => {
  const guest = plugin("guest", (host) =>
    host.sections.append(
      { section: "healthy/text" },
      {
        cache: "memoized",
        compute: () => {
          throw new Error("guest broke");
        },
      },
    ),
  );
  const bed = await openBed({ plugins: [healthy, guest] });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("Healthy.");
  expect(prompt.diagnostics).toEqual([expect.objectContaining({ plugin: "guest", message: "guest broke" })]);
});

test.for([
  {
    name: "throws",
    setup: () => {
      throw new Error("bad start");
    },
    message: "bad start",
  },
  { name: "never settles", setup: never as () => Promise<void>, message: "did not settle" },
])("a plugin whose setup $name leaves no trace, and the others go on", async ({ setup, message }) => {
  const broken = {
    ...plugin("broken", () => {}),
    setup: (host: Parameters<typeof healthy.setup>[0]) => {
      host.sections.replace("healthy/text", "from the broken one");
      host.tools.register({
        name: "broken/t",
        description: "Breaks",
        effect: "read",
        input: { type: "object" },
        execute: () => "",
      });
      return setup();
    },
  };
  const bed = await openBed({ plugins: [broken, healthy], timeScale: 0.02 });
  expect(await bed.send()).toMatchObject({ stop: "end" });
  expect(bed.provider.requests[0]).toMatchObject({ system: { text: "Healthy." }, tools: [] });
  expect(bed.host.plugins.map(({ name }) => name)).toEqual(["bed", "healthy"]);
  expect(bed.diagnostics).toEqual([
    expect.objectContaining({ level: "error", plugin: "broken", message: expect.stringContaining(message) }),
  ]);
});

test("a wrap that failed once is tried again, and a value without it is not kept", async () => {
  let tries = 0;
  const wrapping = plugin("wrapping", (host) =>
    host.sections.wrap("own/it", (was) => {
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      return was.kind === "text" ? `[${was.text}]` : was;
    }),
  );
  const bed = await openBed({ plugins: [plugin("own", textSection("own/it", "rules", "x")), wrapping] });
  expect((await bed.session.prompt()).text).toBe("x");
  expect((await bed.session.prompt()).text).toBe("[x]");
});

test("after an invalidation a failing section with onError stale still has its last good content", async () => {
  let isBroken = false;
  const own = plugin("own", (host) =>
    host.sections.register({
      name: "own/it",
      slot: "rules",
      cache: "memoized",
      onError: "stale",
      compute() {
        if (isBroken) throw new Error("no answer");
        return "Good.";
      },
    }),
  );
  const bed = await openBed({ plugins: [own] });
  await bed.session.prompt();
  isBroken = true;
  bed.host.invalidate("own/it", "a test");
  expect((await bed.session.prompt()).text).toBe("Good.");
});
