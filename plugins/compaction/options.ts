import * as z from "zod";

export const compactionOptions = z.strictObject({
  compaction: z
    .strictObject({
      auto: z.boolean().default(true).describe("Compact without being asked, near the model's limit."),
      at: z
        .number()
        .min(0.1)
        .max(0.99)
        .default(0.85)
        .describe("Part of the model's context, reply included, that may be full before that."),
    })
    .prefault({}),
});
