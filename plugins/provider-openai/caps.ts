import type { Caps } from "@quire/core";

/**
 * What a model can take. Source: the vendor's model pages.
 *
 * `contextRole`: the vendor's own models take role `system` anywhere in a conversation, whoever serves them. Chat
 * templates of other models often refuse a system message that is not the first, so theirs is `user`.
 */
export function modelCaps(model: string): Caps {
  const isOwn = isOwnModel(model);
  const [contextTokens, outputTokens] = isOwn ? ownSizes(model) : [128_000, 8192];
  return {
    contextTokens,
    outputTokens,
    images: !/gpt-3\.5|gpt-4-|gpt-4$|o1-mini|o3-mini/.test(model),
    contextRole: isOwn ? "system" : "user",
    cache: { ttlSeconds: 300, read: readPrice(model), write: 1 },
  };
}

/** Whether the model is one of the vendor's own, open weights excepted. */
export function isOwnModel(model: string): boolean {
  return /^(gpt-(?!oss)|chatgpt-|codex-|o\d)/.test(model.split("/").at(-1) ?? "");
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
