/** What the rules ask of a model's name. Source: the vendor's model pages. */
export interface OpenaiModel {
  /** One of the vendor's own, open weights excepted. */
  readonly isOwn: boolean;
  /** Thinks before it answers: takes an effort, and no sampling. */
  readonly hasReasoning: boolean;
  /** May be given tools. */
  readonly hasTools: boolean;
  /** Takes another verbosity than `medium`. */
  readonly hasVerbosity: boolean;
}

export function openaiModel(model: string): OpenaiModel {
  const isOwn = /^(gpt-(?!oss)|chatgpt-|codex-|o\d)/.test(model);
  return {
    isOwn,
    hasReasoning: isOwn && /^(gpt-[5-9]|o\d|codex-)/.test(model) && !model.includes("-chat"),
    hasTools: !isOwn || !/chatgpt-4o-latest|o1-(mini|preview)|search-preview|-instruct|deep-research/.test(model),
    hasVerbosity: !isOwn || (/^gpt-[5-9]/.test(model) && !/codex|-chat/.test(model)),
  };
}
