/**
 * An estimate of a text's tokens, for budgets and maps: one pass over runs of letters, digits, punctuation and white
 * space. Within about a tenth of a large vocabulary's count for code, prose and JSON; no model's exact count.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(runs)) {
    const code = run.charCodeAt(0);
    if (letter.test(run)) tokens += run.length <= 7 ? 1 : 1 + (run.length - 7) / 5.5;
    else if (code >= 48 && code <= 57) tokens += Math.ceil(run.length / 3);
    else if (code === 10) tokens += 1;
    else if (code === 32 || code === 9) tokens += run.length > 1 ? 1 : 0;
    else if (code > 0x2e80) tokens += run.length * 0.75;
    else tokens += Math.ceil(run.length / 2.2);
  }
  return Math.round(tokens);
}

const runs =
  /[A-Z]?[a-z\u00c0-\u024f]+|[A-Z]+(?![a-z])|[0-9]+|\n[ \t]*|[ \t]+|[\u2e80-\uffff]+|[^\sA-Za-z0-9\u00c0-\u024f\u2e80-\uffff]+|\s/g;

const letter = /^[A-Za-z\u00c0-\u024f]/;
