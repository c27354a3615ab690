/** A stretch of a request, and whether it stands in quotation marks: what is quoted is mostly a value, not a wish. */
export interface Stretch {
  readonly text: string;
  readonly quoted: boolean;
}

/** "Book a room, then mail 'Ann'" → [[Book a room], [mail, 'Ann']]: the parts of a request that may each need a tool of their own. */
export function splitClauses(request: string): readonly (readonly Stretch[])[] {
  // One mark for a run of spaces: patterns that begin with a run would look at it again from each of its characters.
  return request
    .replace(/\s+/g, (run) => (run.includes("\n") ? "\n" : " "))
    .split(boundary)
    .filter((part) => part !== undefined && /[\p{L}\p{N}]/u.test(part))
    .slice(0, maxClauses)
    .map(splitQuotes);
}

/** Longer requests are a list of data; what follows says little about tools. */
const maxClauses = 32;

const boundary = /[.?!;](?=\s|$)|\n|,? (?:and|then|also|afterwards|finally|additionally|furthermore|moreover|next|lastly)(?=[ ,])|,(?= )/i;

function splitQuotes(clause: string): Stretch[] {
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
