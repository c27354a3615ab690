import { coverage } from "./similar.ts";

/** The nearest match of a text that was not found, and how it differs, as sentences; "" if nothing is close. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split("\n").slice(0, maxLines);
  const asked = wanted.split("\n");
  const start = findStart(lines, asked);
  if (start === undefined) return " Nothing in the file is like it. Read the file first.";
  const found = lines.slice(start, start + asked.length);
  const shown = found.slice(0, maxShown).map((line, index) => `${start + index + 1}: ${line.slice(0, 200)}`);
  const difference = differenceOf(found, asked);
  const head = difference === undefined ? "The nearest is this" : `The nearest differs only in ${difference}`;
  return ` ${head}:\n${shown.join("\n")}${found.length > maxShown ? "\n…" : ""}`;
}

const maxLines = 50_000;
const maxShown = 20;
/** Lines that occur often in a file say little about the position of a text. */
const maxPlaces = 50;

/** The line where the wanted text would begin: most of its lines fit there, white space aside. */
function findStart(lines: readonly string[], asked: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const key = line.trim();
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else if (known.length < maxPlaces) known.push(index);
  });
  const votes = new Map<number, number>();
  asked.slice(0, 1_000).forEach((line, offset) => {
    const key = line.trim();
    if (key.length < 2) return;
    for (const place of places.get(key) ?? []) if (place >= offset) votes.set(place - offset, (votes.get(place - offset) ?? 0) + 1);
  });
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [start, count] of votes) {
    if (best === undefined || count > best.count || (count === best.count && start < best.start)) best = { start, count };
  }
  return best?.start ?? mostAlike(lines, asked);
}

const maxCompared = 5_000;

/** By the longest line of the text, if no line matches completely. */
function mostAlike(lines: readonly string[], asked: readonly string[]): number | undefined {
  const offset = asked.reduce((longest, line, index) => (line.trim().length > asked[longest]!.trim().length ? index : longest), 0);
  const key = asked[offset]!.trim();
  let best = { start: -1, score: 0.6 };
  lines.slice(0, maxCompared).forEach((line, index) => {
    const score = coverage(key, line.trim());
    if (score > best.score) best = { start: Math.max(0, index - offset), score };
  });
  return best.start === -1 ? undefined : best.start;
}

function differenceOf(found: readonly string[], asked: readonly string[]): string | undefined {
  const isThere = (fold: (line: string) => string): boolean => found.map(fold).join("\n").includes(asked.map(fold).join("\n"));
  if (isThere((line) => line.trimEnd())) return "the spaces at the ends of lines";
  if (isThere((line) => line.trim())) return "its indentation";
  if (isThere((line) => line.replaceAll(/\s+/g, " ").trim())) return "its spaces and tabs";
  return isThere(plainPunctuation) ? "its quotes, dashes or spaces" : undefined;
}

function plainPunctuation(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201C\u201D]/g, '"')
    .replaceAll(/[\u2010-\u2015]/g, "-")
    .replaceAll("\u00A0", " ")
    .trim();
}
