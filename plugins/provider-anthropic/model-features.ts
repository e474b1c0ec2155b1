/** What a model's generation decides. Sources: the vendor's guides "Thinking" and "Mid-conversation system messages". */
export interface ModelFeatures {
  /** One of the vendor's own; others behind the same API are asked for nothing special. */
  readonly isClaude: boolean;
  /** `manual`: with a budget of tokens; `adaptive`: by itself. */
  readonly thinking: { readonly manual: boolean; readonly adaptive: boolean };
  /** Takes role `system` in mid-conversation. */
  readonly lateSystem: boolean;
  /** Checks that nothing before a thinking block has changed since it was made. */
  readonly checksPrefix: boolean;
}

export function modelFeatures(model: string): ModelFeatures {
  const version = claudeVersion(model);
  const isPreview = model.includes("preview");
  return {
    isClaude: model.includes("claude"),
    thinking: { manual: version >= 3.7 && version <= 4.6, adaptive: version >= 4.6 || isPreview },
    lateSystem: version >= 4.8,
    checksPrefix: version >= 5.1,
  };
}

/** For example 4.6 of `claude-opus-4-6` and 3.5 of `claude-3-5-haiku-latest`; 0 when the name tells none. */
function claudeVersion(model: string): number {
  const found =
    /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:[-.](\d)(?!\d))?/.exec(model) ??
    /claude-(\d)(?:[-.](\d))?-(?:opus|sonnet|haiku)/.exec(model);
  return found === null ? 0 : Number(`${found[1] ?? "0"}.${found[2] ?? "0"}`);
}
