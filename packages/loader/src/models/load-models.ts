import type { FoundModels } from "./read-models.js";

/**
 * Contexts and prices of models: what ships, and over it the user's `models.yaml`. Nothing of it is loaded before.
 * @returns A file of the user that is wrong is left out and reported: nothing depends on prices.
 */
export async function loadModels(quireHome: string): Promise<FoundModels> {
  const { readModels } = await import("./read-models.js");
  return await readModels(quireHome);
}
