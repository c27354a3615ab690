/** Replaces every removed value. */
export const redactedMark = "[redacted]";

/**
 * Hides the values of the named fields in JSON anywhere in a text, also in JSON within a JSON string:
 * `It is {"token":"abc"}.` → `It is {"token":"[redacted]"}.` `isHidden` is called for each name of a field.
 * One pass from left to right; a value without an end is hidden up to the end of the text.
 */
export function redactJsonText(text: string, isHidden: (field: string) => boolean): string {
  let redacted = "";
  let kept = 0;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    const depth = backslashesBefore(text, quote, kept);
    const value = valueOfNamedField(text, quote, depth, isHidden);
    if (value === -1) continue;
    const end = endOfValue(text, value, depth);
    const mark = `${"\\".repeat(depth)}"`;
    redacted += text.slice(kept, value) + mark + redactedMark + mark;
    kept = end;
    quote = end - 1;
  }
  return kept === 0 ? text : redacted + text.slice(kept);
}

const longestName = 256;

/** Where the value begins, if the quote opens the name of a field to hide; else -1. */
function valueOfNamedField(text: string, quote: number, depth: number, isHidden: (field: string) => boolean): number {
  const close = text.indexOf('"', quote + 1);
  const nameEnd = close - depth;
  if (close === -1 || nameEnd <= quote || nameEnd - quote > longestName) return -1;
  if (!isHidden(text.slice(quote + 1, nameEnd))) return -1;
  const colon = afterSpace(text, close + 1);
  return text[colon] === ":" ? afterSpace(text, colon + 1) : -1;
}

function endOfValue(text: string, start: number, depth: number): number {
  const first = text[start + (text[start] === "\\" ? depth : 0)];
  if (first === '"') return endOfString(text, start + depth, depth);
  if (first !== "{" && first !== "[") return endOfScalar(text, start);
  let open = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at, depth) - 1;
    else if (character === "{" || character === "[") open += 1;
    else if ((character === "}" || character === "]") && --open === 0) return at + 1;
  }
  return text.length;
}

/** `quote` opens the string. In JSON that was quoted d times over, a quote ends it after 2^d - 1 backslashes and not after 2^(d+1) - 1. */
function endOfString(text: string, quote: number, depth: number): number {
  for (let at = text.indexOf('"', quote + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (backslashesBefore(text, at, quote + 1) % (2 * (depth + 1)) === depth) return at + 1;
  }
  return text.length;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",}]\\ \t\r\n".includes(text[at]!)) at += 1;
  return at;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text[at - count - 1] === "\\") count += 1;
  return count;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at += 1;
  return at;
}
