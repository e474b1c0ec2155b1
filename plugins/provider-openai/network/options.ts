import * as z from "zod";

const milliseconds = z.int().min(1).max(86_400_000);

/** Top-level `network:` in config: how requests reach vendors. Every provider that speaks HTTP reads it. */
export const networkOptions = z
  .strictObject({
    proxy: z
      .url({ protocol: /^https?$/, error: "must begin with http:// or https:// and name a host" })
      .optional()
      .describe("In place of HTTPS_PROXY and HTTP_PROXY."),
    no_proxy: z.array(z.string().min(1)).optional().describe("Hosts reached directly, in place of NO_PROXY."),
    ca_file: z
      .string()
      .regex(/^(~?\/|[A-Za-z]:[\\/])/, "must be an absolute path, or begin with ~/")
      .optional()
      .describe("Certificates (PEM) trusted beside those of Node and of NODE_EXTRA_CA_CERTS."),
    first_byte_ms: milliseconds.optional().describe("Milliseconds until an answer begins."),
    silence_ms: milliseconds.optional().describe("Milliseconds between two pieces of an answer."),
  })
  .prefault({});

export type NetworkOptions = z.output<typeof networkOptions>;
