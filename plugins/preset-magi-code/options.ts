import * as z from "zod";

const magiCodeSchema = z.strictObject({
  code_mode: z
    .boolean()
    .default(false)
    .describe("True: the guidance on the tool `code` is part of the prompt while that tool is on"),
});

export const magiCodeOptions = z.object({ magi_code: magiCodeSchema.prefault({}) });
