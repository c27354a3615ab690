/**
 * Whether a part of an address is so long and so mixed that a person did not choose it: a token, as webhooks and links to a server of one's own
 * have it. Counted are changes between letters and digits, and from small letters to capital ones, which words have rarely. An identifier
 * of the form UUID is none: it names something, and is shown.
 * looksRandom("XrC9mQ0vT4bKz7LpWn2Yd8Ha") → true, looksRandom("list-all-projects-of-2026") → false
 */
export function looksRandom(text: string): boolean {
  if (uuid.test(text) || text.length > longest) return false;
  const runs = text.split(/[^A-Za-z0-9]+/);
  if (runs.some((run) => isMixed(run, 20, 0.24) || (run.length >= 32 && !/\d/.test(run)))) return true;
  // The separators of words come more often than - and _ in a token.
  const whole = runs.join("");
  return runs.length <= 1 + whole.length / 8 && /[A-Z]/.test(whole) && /[a-z]/.test(whole) && isMixed(whole, 24, 0.28);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Beyond this it is data, not a token. */
const longest = 4_096;

function isMixed(text: string, shortest: number, share: number): boolean {
  return text.length >= shortest && (text.match(change)?.length ?? 0) / (text.length - 1) >= share;
}

/** Between the two, without taking them: each change counts once. */
const change = /(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=\d)|(?<=\d)(?=[A-Za-z])/g;
