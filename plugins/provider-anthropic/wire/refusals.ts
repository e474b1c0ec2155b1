/** How a refused request reads, apart from its vendor. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /** The vendor's words, and whatever codes it gave, in one text. */
  readonly said: string;
}

/**
 * Whether a request was refused because it is larger than the model's context.
 * Sources: the vendors' pages on errors, and the texts of servers with the same APIs (vLLM, llama.cpp, LM Studio, Groq,
 * xAI, Gemini, Mistral, Bedrock, Together, Moonshot).
 */
export function isContextOverflow({ status, said }: Refusal): boolean {
  if (status === 413) return true;
  return [400, 422, 500].includes(status) && overflowWords.some((words) => words.test(said));
}

const overflowWords: readonly RegExp[] = [
  /prompt is too long/i,
  /input is too long/i,
  /context_length_exceeded|exceed_context_size|model_context_window_exceeded/,
  /exceeds? (the |this model's |the model's )?(available |maximum )?context (size|window|length|limit)/i,
  /context (window|length|size) (is )?exceed/i,
  /maximum (context|prompt|model) length/i,
  /token count.{0,40} exceeds/i,
  /input tokens? exceeds? the configured limit/i,
  /exceeded model token limit/i,
  /context length of only \d/i,
  /tokens?`? \+ `?max_new_tokens`? must be/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  /too many tokens.{0,60}(prompt|context)/i,
];

/**
 * Whether a request with a system text in mid-conversation was refused for that message's role.
 * @param hasLateRole Whether its body holds one.
 */
export function isRoleRefused({ status, said }: Refusal, hasLateRole: boolean): boolean {
  return hasLateRole && [400, 422].includes(status) && roleWords.test(said);
}

const roleWords = /\broles?\b|\b(system|developer) messages?\b|['"`](system|developer)['"`]/i;
