import * as z from "zod";
import { networkOptions } from "./network/options.js";

/** The wire mode this plugin speaks. */
export const api = "anthropic-messages";

const endpoint = z.object({
  api: z.literal(api),
  /** Without the `/v1/messages` behind it. */
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

/** Entries of another `api` are left to the plugin that speaks it. */
const endpoints = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "must be kebab-case"), z.unknown())
  .transform((all, context) => {
    const own: Record<string, Endpoint> = {};
    for (const [name, raw] of Object.entries(all)) {
      if (typeof raw !== "object" || raw === null || !("api" in raw) || raw.api !== api) continue;
      const result = endpoint.safeParse(raw);
      if (result.success) own[name] = result.data;
      for (const { message, path } of result.error?.issues ?? []) {
        context.issues.push({ code: "custom", message, path: [name, ...path], input: raw });
      }
    }
    return own;
  });

export const anthropicOptions = z.object({
  providers: endpoints.default({}),
  network: networkOptions,
  /**
   * Where a system text goes that comes in mid-conversation: in its place, or joined to the system text at the head,
   * without a place of its own.
   */
  late_system: z.enum(["in-place", "joined"]).default("in-place"),
});
