import { ToolError } from "../../errors.ts";
import { type Glob, matchesGlob } from "../../util/glob.ts";

/** Which globs each name matches, as sets shared between names. */
export interface GlobMatches {
  /** Name → the number of its set. */
  readonly setOf: Int32Array;
  /** Set → the globs in it, ascending; the first set is empty. */
  readonly sets: readonly (readonly number[])[];
}

/**
 * A few globs are tried one by one; thousands are looked up by one of their literal parts, so that the cost grows with
 * the names, not with names times globs.
 */
export function matchGlobs(globs: readonly Glob[], names: readonly string[]): GlobMatches {
  if (globs.length === 0) return { setOf: new Int32Array(names.length), sets: [[]] };
  return globs.length <= fewGlobs ? tryGlobs(globs, names) : lookUpGlobs(globs, names);
}

/** As many as a small integer has bits. */
const fewGlobs = 30;

function tryGlobs(globs: readonly Glob[], names: readonly string[]): GlobMatches {
  const setOf = new Int32Array(names.length);
  const sets: number[][] = [[]];
  const numbers = new Map([[0, 0]]);
  const candidatesOf = byFirstCharacter(globs);
  for (let name = 0; name < names.length; name++) {
    const text = names[name]!;
    const candidates = candidatesOf.get(text.charCodeAt(0)) ?? candidatesOf.get(anyCharacter)!;
    let bits = 0;
    for (let which = 0; which < candidates.length; which++) {
      if (matchesGlob(globs[candidates[which]!]!, text)) bits |= 1 << candidates[which]!;
    }
    if (bits === 0) continue;
    const number = numbers.get(bits) ?? sets.push(candidates.filter((glob) => (bits & (1 << glob)) !== 0)) - 1;
    numbers.set(bits, number);
    setOf[name] = number;
  }
  return { setOf, sets };
}

const anyCharacter = -1;

/** First character of a name → the globs that it may match. */
function byFirstCharacter(globs: readonly Glob[]): ReadonlyMap<number, readonly number[]> {
  const starts = globs.map(({ prefix }) => (prefix === "" ? anyCharacter : prefix.charCodeAt(0)));
  const candidatesFor = (character: number): number[] =>
    starts.flatMap((start, glob) => (start === anyCharacter || start === character ? [glob] : []));
  return new Map([anyCharacter, ...starts].map((character) => [character, candidatesFor(character)]));
}

function lookUpGlobs(globs: readonly Glob[], names: readonly string[]): GlobMatches {
  const find = createGlobFinder(globs, names.length);
  const setOf = new Int32Array(names.length);
  const sets: (readonly number[])[] = [[]];
  const numbers = new Map<string, number>();
  for (let name = 0; name < names.length; name++) {
    const set = find(names[name]!);
    if (set.length === 0) continue;
    const key = set.join(",");
    const number = numbers.get(key) ?? sets.push(set) - 1;
    numbers.set(key, number);
    setOf[name] = number;
  }
  return { setOf, sets };
}

/**
 * Finds the globs that a name matches, ascending; what the search needs is prepared once.
 * @param nameCount for how many names: POLICY_INVALID is thrown if that would take too long
 */
export function createGlobFinder(globs: readonly Glob[], nameCount = 1): (name: string) => readonly number[] {
  if (globs.length <= fewGlobs) {
    const candidatesOf = byFirstCharacter(globs);
    return (name) => {
      const candidates = candidatesOf.get(name.charCodeAt(0)) ?? candidatesOf.get(anyCharacter)!;
      return candidates.filter((glob) => matchesGlob(globs[glob]!, name));
    };
  }
  if (nameCount === 1) return createLookUp(globs);
  let trialsLeft = 1_000_000 + 100 * (globs.length + nameCount);
  return createLookUp(globs, (trials) => {
    trialsLeft -= trials;
    if (trialsLeft < 0) throw tooAlike(globs.length, nameCount);
  });
}

/** @param spend is told how many globs are tried, before they are. */
function createLookUp(globs: readonly Glob[], spend?: (trials: number) => void): (name: string) => readonly number[] {
  const { starts, ends, insides } = sortByRarestPart(globs);
  return (text) => {
    const found = new Set<number>();
    const tryBucket = (bucket: readonly number[] | undefined): void => {
      if (bucket === undefined) return;
      spend?.(bucket.length);
      for (const glob of bucket) if (matchesGlob(globs[glob]!, text)) found.add(glob);
    };
    for (const length of starts.lengths) if (length <= text.length) tryBucket(starts.buckets.get(text.slice(0, length)));
    for (const length of ends.lengths) if (length <= text.length) tryBucket(ends.buckets.get(text.slice(text.length - length)));
    for (const length of insides.lengths) {
      for (let from = 0; from + length <= text.length; from++) tryBucket(insides.buckets.get(text.slice(from, from + length)));
    }
    return [...found].sort((a, b) => a - b);
  };
}

interface PartTable {
  readonly buckets: ReadonlyMap<string, readonly number[]>;
  readonly lengths: readonly number[];
}

/** Indexes each glob by the literal part that the fewest others have, the longest of those: each name is then tried against few globs. */
function sortByRarestPart(globs: readonly Glob[]): Record<Spot, PartTable> {
  const shared = new Map<string, number>();
  for (const glob of globs) for (const { key } of partsOf(glob)) shared.set(key, (shared.get(key) ?? 0) + 1);
  const buckets: Record<Spot, Map<string, number[]>> = { starts: new Map(), ends: new Map(), insides: new Map() };
  for (const [number, glob] of globs.entries()) {
    const rarest = partsOf(glob).reduce((best, part) => {
      const difference = shared.get(part.key)! - shared.get(best.key)!;
      return difference < 0 || (difference === 0 && part.text.length > best.text.length) ? part : best;
    });
    put(buckets[rarest.spot], rarest.text, number);
  }
  return { starts: toTable(buckets.starts), ends: toTable(buckets.ends), insides: toTable(buckets.insides) };
}

type Spot = "starts" | "ends" | "insides";

interface Part {
  readonly spot: Spot;
  readonly text: string;
  readonly key: string;
}

function partsOf({ prefix, inner, suffix }: Glob): Part[] {
  const parts: Part[] = inner.map((text) => ({ spot: "insides", text, key: `insides ${text}` }));
  if (suffix !== "") parts.push({ spot: "ends", text: suffix, key: `ends ${suffix}` });
  // A glob without another part has the empty prefix, which every name has.
  if (prefix !== "" || parts.length === 0) parts.push({ spot: "starts", text: prefix, key: `starts ${prefix}` });
  return parts;
}

function put(buckets: Map<string, number[]>, part: string, glob: number): void {
  const bucket = buckets.get(part);
  if (bucket) bucket.push(glob);
  else buckets.set(part, [glob]);
}

function toTable(buckets: ReadonlyMap<string, readonly number[]>): PartTable {
  return { buckets, lengths: [...new Set([...buckets.keys()].map((part) => part.length))] };
}

function tooAlike(globs: number, names: number): ToolError {
  return new ToolError(
    "POLICY_INVALID",
    `${globs} patterns are too similar to be matched against ${names} tools in reasonable time. Use groups, or patterns such as "name_*".`,
  );
}
