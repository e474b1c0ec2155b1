import * as z from "zod";

/** The wire mode this plugin speaks. */
export const api = "openai-chat";

const endpoint = z.object({
  api: z.literal(api),
  /** Up to and without `/chat/completions`. */
  base_url: z.url({ protocol: /^https?$/, error: "must begin with http:// or https:// and name a host" }),
  /** Environment variable that holds the key; an endpoint without one gets a placeholder. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
    .optional(),
  /** Model ids; the first is the default. Without them the endpoint is asked. */
  models: z.array(z.string().min(1)).default([]),
});

/** One entry of `providers:` that speaks this plugin's API. */
export type Endpoint = z.output<typeof endpoint>;

/** Entries of another `api` are left to the plugin that speaks it; an entry without any is reported here. */
const endpoints = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be kebab-case"), z.unknown())
  .transform((all, context) => {
    const own: Record<string, Endpoint> = {};
    for (const [name, raw] of Object.entries(all)) {
      const given = typeof raw === "object" && raw !== null && "api" in raw ? raw.api : undefined;
      if (typeof given !== "string") {
        const message = `needs an api: ${api}, anthropic-messages, or one that a plugin brings`;
        context.issues.push({ code: "custom", message, path: [name, "api"], input: raw });
      }
      if (given !== api) continue;
      const result = endpoint.safeParse(raw);
      if (result.success) own[name] = result.data;
      for (const { message, path } of result.error?.issues ?? []) {
        context.issues.push({ code: "custom", message, path: [name, ...path], input: raw });
      }
    }
    return own;
  });

export const openaiOptions = z.object({ providers: endpoints.default({}) });
