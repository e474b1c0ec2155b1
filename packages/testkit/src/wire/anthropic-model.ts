/** What the rules ask of a model's name. Sources: the vendor's pages on thinking and on late system messages. */
export interface ClaudeModel {
  /** For example 4.6; undefined for another vendor's model. */
  readonly version: number | undefined;
  readonly isPreview: boolean;
}

/** Reads `claude-opus-4-6`, `claude-3-5-sonnet-latest`, `claude-sonnet-4-20250514`, … */
export function claudeModel(model: string): ClaudeModel {
  const isPreview = model.includes("preview");
  const found =
    /claude-(?:opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ??
    /claude-(\d)(?:[-.](\d))?-(?:opus|sonnet|haiku)/.exec(model);
  if (found === null) return { version: undefined, isPreview };
  return { version: Number(`${found[1] ?? "0"}.${found[2] ?? "0"}`), isPreview };
}
