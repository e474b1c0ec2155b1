import type { ModelRef, ProviderFailure } from "@quire/core";

/**
 * The model that takes over, if one does.
 * @param tried What failed in this turn already, `failed` included.
 */
export function nextModel(
  chain: readonly string[],
  failed: ModelRef,
  tried: ReadonlySet<string>,
  failure: Pick<ProviderFailure, "status" | "planned">,
): string | undefined {
  // Of a fallback model any failure counts: it may lack a key, or refuse what the first would have taken.
  if (failure.planned.retry || !(tried.size > 1 || isPassing(failure.status))) return undefined;
  return chain.find((model) => !tried.has(model) && model !== failed.provider);
}

/** Whether the vendor or the network is at fault, not the request. */
function isPassing(status: number | undefined): boolean {
  return status === undefined || [408, 409, 425, 429].includes(status) || status >= 500;
}
