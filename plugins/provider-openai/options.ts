import * as z from "zod";
import { networkOptions } from "./network/options.js";

/** The wire modes this plugin speaks. */
export const apis = ["openai-responses", "openai-chat", "openai-codex"] as const;

export type OpenaiApi = (typeof apis)[number];

const endpoint = z.object({
  api: z.enum(apis),
  /** Up to and without `/chat/completions` or `/responses`. */
  base_url: z.url({ protocol: /^https?$/, error: "must begin with http:// or https:// and name a host" }),
  /** Environment variable that holds the key; an endpoint without one gets a placeholder. */
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
    .optional(),
  /** Model ids; the first is the default. Without them the endpoint is asked. */
  models: z.array(z.string().min(1)).default([]),
  /** False: its models take no tools. None are declared, and earlier calls are told as text. */
  tools: z.boolean().default(true),
});

/** One entry of `providers:` that speaks one of them. */
export type Endpoint = z.output<typeof endpoint>;

/** Entries of another `api` are left to the plugin that speaks it; an entry without any is reported here. */
const endpoints = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be kebab-case"), z.unknown())
  .transform((all, context) => {
    const own: Record<string, Endpoint> = {};
    for (const [name, raw] of Object.entries(all)) {
      const given = typeof raw === "object" && raw !== null && "api" in raw ? raw.api : undefined;
      if (typeof given !== "string") {
        const message = `needs an api: ${apis.join(", ")}, anthropic-messages, or one that a plugin brings`;
        context.issues.push({ code: "custom", message, path: [name, "api"], input: raw });
      }
      if (!apis.some((api) => api === given)) continue;
      const result = endpoint.safeParse(raw);
      if (result.success) own[name] = result.data;
      for (const { message, path } of result.error?.issues ?? []) {
        context.issues.push({ code: "custom", message, path: [name, ...path], input: raw });
      }
    }
    return own;
  });

export const openaiOptions = z.object({
  providers: endpoints.default({}),
  network: networkOptions,
  /**
   * Where a system text goes that comes in mid-conversation, in Responses and Codex: in its place as a developer
   * message, or joined to the instructions, without a place of its own.
   */
  late_system: z.enum(["in-place", "joined"]).default("in-place"),
  /** Where the provider `local` looks for model servers on this machine; by default the usual ports of known servers. */
  local_ports: z.array(z.int().min(1).max(65_535)).max(16).optional(),
});
