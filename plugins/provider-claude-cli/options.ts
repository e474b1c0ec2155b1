import * as z from "zod";

/** The wire mode this plugin speaks, and the name of its first provider. */
export const api = "claude-cli";

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");

const program = z.object({
  api: z.literal(api).optional(),
  /** A name to look for on PATH, or an absolute path. */
  command: z
    .string()
    .regex(/^(\/.*|[^/]+)$/, "must be the name of a program on PATH, or an absolute path")
    .default("claude"),
  /** Go before the arguments of a request. */
  args: z.array(z.string()).default([]),
  /** Environment variables the program gets besides those it always gets. */
  pass_env: z.array(variable).default([]),
  /** Names as the program takes them; the first is the default. */
  models: z.array(z.string().min(1)).default([]),
});

/** How one provider's program is started. */
export type ProgramOptions = z.output<typeof program>;

/** Entries of another `api` are left to the plugin that speaks it. */
const programs = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be kebab-case"), z.unknown())
  .transform((all, context) => {
    const own: Record<string, ProgramOptions> = {};
    for (const [name, raw] of Object.entries(all)) {
      if (typeof raw !== "object" || raw === null || !("api" in raw ? raw.api === api : name === api)) continue;
      const result = program.safeParse(raw);
      if (result.success) own[name] = result.data;
      for (const { message, path } of result.error?.issues ?? []) {
        context.issues.push({ code: "custom", message, path: [name, ...path], input: raw });
      }
    }
    return own;
  });

export const claudeCliOptions = z
  .object({
    providers: programs.default({}),
    /** The program of the provider `claude-cli`: the short form of its entry under `providers`. */
    claude_cli: program.optional(),
  })
  .refine(({ providers, claude_cli }) => claude_cli === undefined || providers[api] === undefined, {
    path: ["claude_cli"],
    error: `says the same as providers.${api}: keep one of them`,
  });

export type ClaudeCliOptions = z.output<typeof claudeCliOptions>;
