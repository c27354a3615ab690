/** A stretch of a request, and whether it stands in quotation marks: what is quoted is mostly a value, not a wish. */
export interface Stretch {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * "Book a room, then mail 'Ann' and Bob" → [[Book a room], [mail, 'Ann', and Bob]]: the parts of a request that may each need a tool of
 * their own. A list of names or things is no list of wishes.
 */
export function splitClauses(request: string): readonly (readonly Stretch[])[] {
  // One mark for a run of spaces: patterns that begin with a run would look at it again from each of its characters.
  return request
    .replace(/\s{2,}|[^\S \n]/g, (run) => (run.includes("\n") ? "\n" : " "))
    .split(boundary)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .slice(0, maxClauses)
    .map(splitQuotes);
}

/** Longer requests are a list of data; what follows says little about tools. */
const maxClauses = 32;

const nextStep = "then|also|afterwards|finally|additionally|furthermore|moreover|next|lastly";
/** What a wish or a statement begins with, other than its verb. */
const opening =
  "please|to|for|if|could|can|would|i|we|you|it|let|is|are|what|how|which|who|where|when|whether|" +
  "the|a|an|my|our|your|their|his|her|its|this|that|these|those|any|some|all";
const boundary = new RegExp(`[.?!;](?=\\s|$)|\\n|,? (?:${nextStep})(?=[ ,])|(?:,? and|,) (?=(?:${opening})\\b)`, "i");

function splitQuotes(clause: string): Stretch[] {
  if (!/["“']/.test(clause)) return [{ text: clause, quoted: false }];
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of clause.matchAll(quoted)) {
    if (match.index > from) stretches.push({ text: clause.slice(from, match.index), quoted: false });
    stretches.push({ text: match[0].slice(1, -1), quoted: true });
    from = match.index + match[0].length;
  }
  if (from < clause.length) stretches.push({ text: clause.slice(from), quoted: false });
  return stretches;
}

// An apostrophe inside a word opens nothing.
const quoted = /"[^"]{1,200}"|“[^”]{1,200}”|(?<![\p{L}\p{N}])'[^']{1,200}'(?![\p{L}\p{N}])/gu;
