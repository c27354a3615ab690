/** Whether a JSON text has more levels, however it goes on: found in one pass, without reading it. */
export function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

const quote = 0x22;

/** The place of the quote that ends a text in JSON. */
export function endOfText(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === 0x5c ? 2 : 1;
  return end;
}
