import type { Caps } from "@quire/core";

/** What a model can take, the role of context messages excepted. Source: the vendor's model pages. */
export function modelCaps(model: string): Omit<Caps, "contextRole"> {
  const isOwn = isOwnModel(model);
  const [contextTokens, outputTokens] = isOwn ? ownSizes(model) : [128_000, 8192];
  return {
    contextTokens,
    outputTokens,
    images: !/gpt-3\.5|gpt-4-|gpt-4$|o1-mini|o3-mini/.test(model),
    cache: { ttlSeconds: 300, read: readPrice(model), write: 1 },
  };
}

/** Whether the model is one of the vendor's own, open weights excepted. */
export function isOwnModel(model: string): boolean {
  return /^(gpt-(?!oss)|chatgpt-|codex-|o\d)/.test(baseName(model));
}

/** Whether the model thinks before it answers. It then takes an effort and no sampling, and its reasoning can be kept. */
export function hasReasoning(model: string): boolean {
  const name = baseName(model);
  return isOwnModel(model) && /^(gpt-[5-9]|o\d|codex-)/.test(name) && !name.includes("-chat");
}

/** Whether the vendor's own model may be given tools; of others nothing is known. */
export function takesTools(model: string): boolean {
  return !/chatgpt-4o-latest|o1-(mini|preview)|search-preview|-instruct|deep-research/.test(baseName(model));
}

/** Whether the verbosity may be `low`: the vendor's models made for code, and those before gpt-5, know `medium` alone. */
export function takesVerbosity(model: string): boolean {
  const name = baseName(model);
  return !isOwnModel(model) || (/^gpt-[5-9]/.test(name) && !/codex|-chat/.test(name));
}

function baseName(model: string): string {
  return model.split("/").at(-1) ?? "";
}

/** Tokens of context and of an answer. */
function ownSizes(model: string): readonly [number, number] {
  if (/gpt-[5-9]/.test(model)) return [400_000, 128_000];
  if (model.includes("gpt-4.1")) return [1_047_576, 32_768];
  if (/^o\d/.test(model)) return [200_000, 100_000];
  return [128_000, 16_384];
}

function readPrice(model: string): number {
  if (/gpt-[5-9]/.test(model)) return 0.1;
  return /gpt-4\.1|^o[3-9]/.test(model) ? 0.25 : 0.5;
}
