import * as z from "zod";

export const fallbackOptions = z.strictObject({
  fallback: z
    .array(z.string().regex(/^[^/\s]+(\/\S+)?$/, "must be provider/model"))
    .default([])
    .describe("Models, as provider/model, that go on in this order with a turn whose model fails."),
});
