import { stem } from "./stem.ts";
import { subjects } from "./related-table.ts";

/** A stem that tools of the subject say, and how telling it is, from 0 to 1. */
export interface RelatedWord {
  readonly term: string;
  readonly share: number;
}

/** What tools may say where people say this stem: "umbrella" → "weather", "forecast" …, the most telling first. One direction only. */
export function relatedTo(stemmed: string): readonly RelatedWord[] {
  return (byStem ??= readSubjects()).get(stemmed) ?? none;
}

const none: readonly RelatedWord[] = [];
/** Read when a search first needs it. */
let byStem: ReadonlyMap<string, readonly RelatedWord[]> | undefined;
/** Each further word of a subject is less telling than the one before it. */
const decay = 0.65;

function readSubjects(): ReadonlyMap<string, readonly RelatedWord[]> {
  const found = new Map<string, Map<string, number>>();
  for (const line of subjects.trim().split("\n")) {
    const [said = "", asked = ""] = line.split(":");
    const heads = said.split(" ").map(stem);
    for (const word of asked.trim().split(" ")) {
      const term = stem(word);
      const shares = found.get(term) ?? new Map<string, number>();
      for (const [place, head] of heads.entries()) if (head !== term) shares.set(head, Math.max(decay ** place, shares.get(head) ?? 0));
      found.set(term, shares);
    }
  }
  const sorted = (shares: ReadonlyMap<string, number>): readonly RelatedWord[] =>
    [...shares].map(([term, share]) => ({ term, share })).sort((a, b) => b.share - a.share);
  return new Map([...found].map(([term, shares]) => [term, sorted(shares)]));
}
