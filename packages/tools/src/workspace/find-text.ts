/** The positions of a text in another one, from left to right without overlap. Contract: linear time in the length of both. */
export function* occurrencesOf(wanted: string, text: string): Generator<number> {
  if (wanted.length === 0) return;
  if (wanted.length <= shortLength) {
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) yield at;
    return;
  }
  // The engine's own search can take the product of both lengths: half a minute for a few kilobytes looked for in two megabytes.
  const fallback = fallbacksOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    while (matched > 0 && letter !== wanted.charCodeAt(matched)) matched = fallback[matched - 1]!;
    if (letter === wanted.charCodeAt(matched)) matched++;
    if (matched < wanted.length) continue;
    yield at + 1 - wanted.length;
    matched = 0;
  }
}

/** As `text.includes(wanted)`, in linear time. */
export function includesText(text: string, wanted: string): boolean {
  return wanted === "" || !occurrencesOf(wanted, text).next().done;
}

const shortLength = 100;

/** For each beginning of a text, the length of its longest proper end that is a beginning too. "abab" → 0, 0, 1, 2 */
function fallbacksOf(text: string): Int32Array {
  const lengths = new Int32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = lengths[length - 1]!;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    lengths[at] = length;
  }
  return lengths;
}
