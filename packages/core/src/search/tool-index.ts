import { createLeadingTerms } from "./tables/leading-terms.ts";
import { createCoverage } from "./rank/coverage.ts";
import { explainHit } from "./explain.ts";
import { createFamilies, familyOf } from "./tables/families.ts";
import { createPairs, pairOf } from "./tables/pairs.ts";
import { createPassageReader, type PassageListener } from "./tables/passages.ts";
import { createPostings } from "./tables/postings.ts";
import { type Query, readQuery } from "./query/query.ts";
import { createRanker } from "./rank/rank.ts";
import { createTermMatcher } from "./rank/match-terms.ts";
import { createCounter, type Passages } from "./rank/scope.ts";
import { readLimit, type SearchableTool, type SearchOptions, type ToolHit } from "./search.ts";
import { createVocabulary } from "./words/vocabulary.ts";

export interface ToolIndexOptions<Tool extends SearchableTool = SearchableTool> {
  /** Where a tool comes from, when that is worth searching: the name of its server or plugin. */
  readonly sourceOf?: (tool: Tool) => string | undefined;
}

/**
 * Finds tools by what is asked of them, without a model and without a network.
 * Contract: adding and removing touch that tool alone; the answer depends on the tools and the query, not on the order of changes;
 * equal scores are ordered by name. Tools are values: a changed one is removed and added as another.
 */
export interface ToolIndex<Tool extends SearchableTool = SearchableTool> {
  readonly size: number;
  search(query: string, options?: SearchOptions<Tool>): ToolHit<Tool>[];
  has(tool: Tool): boolean;
  /** Does nothing if the tool is already in the index. */
  add(tool: Tool): void;
  /** Does nothing if the tool is not in the index. */
  remove(tool: Tool): void;
}

export function createToolIndex<Tool extends SearchableTool>(
  tools: Iterable<Tool> = [],
  { sourceOf = () => undefined }: ToolIndexOptions<Tool> = {},
): ToolIndex<Tool> {
  const postings = createPostings();
  const pairs = createPairs();
  const vocabulary = createVocabulary();
  const readPassages = createPassageReader(vocabulary);
  const families = createFamilies();
  const leading = createLeadingTerms();
  const countOf = createCounter(postings);
  const resolve = createTermMatcher({ vocabulary, postings, pairs, countOf });
  const rank = createRanker({ resolve, coverage: createCoverage(vocabulary, countOf, leading), families });
  const places = new Map<Tool, number>();
  /** As they were when the tool was added, so that removing it undoes exactly what adding it did. */
  const sources = new Map<Tool, string>();
  /** By first passage; undefined for removed tools and for examples. */
  let byPlace: (Tool | undefined)[] = [];
  let owners = new Int32Array(64);
  let open = new Uint8Array(64);
  let size = 0;
  let dead = 0;
  let generation = 0;
  let narrowed = new WeakMap<readonly Tool[], { readonly generation: number; readonly passages: Passages }>();

  const adding: PassageListener = {
    begin: makeRoom,
    term: (term, weight) => postings.add(term, size, toStrength(weight)),
    pair: (first, second, weight) => pairs.add(pairOf(vocabulary.hashOf(first), vocabulary.hashOf(second)), size, toStrength(weight)),
    end: (core, names) => leading.add(size++, core, names),
  };
  const dropping: PassageListener = { begin() {}, term: (term) => postings.drop(term), pair() {}, end() {} };

  function add(tool: Tool): void {
    if (places.has(tool)) return;
    const first = size;
    const source = sourceOf(tool);
    places.set(tool, first);
    if (source !== undefined) sources.set(tool, source);
    readPassages(tool, source, adding);
    owners.fill(first, first, size);
    open.fill(1, first, size);
    byPlace[first] = tool;
    byPlace.length = size;
    families.add(first, size, familyOf(tool, source));
    generation++;
  }

  function remove(tool: Tool): void {
    const first = places.get(tool);
    if (first === undefined) return;
    places.delete(tool);
    byPlace[first] = undefined;
    readPassages(tool, sources.get(tool), dropping);
    sources.delete(tool);
    for (let passage = first; passage < size && owners[passage] === first; passage++) {
      open[passage] = 0;
      dead++;
    }
    generation++;
    if (dead > Math.max(256, size - dead)) compact();
  }

  /** Removes the entries of removed tools, and frees unused memory. */
  function compact(): void {
    const renumber = new Int32Array(size).fill(-1);
    const kept: (Tool | undefined)[] = [];
    for (let passage = 0; passage < size; passage++) {
      if (open[passage] === 0) continue;
      renumber[passage] = kept.length;
      // Numbers only get smaller, so nothing is overwritten before it is read.
      owners[kept.length] = renumber[owners[passage]!]!;
      kept.push(byPlace[passage]);
    }
    for (const [tool, place] of places) places.set(tool, renumber[place]!);
    byPlace = kept;
    size = kept.length;
    dead = 0;
    open = new Uint8Array(Math.max(64, size)).fill(1, 0, size);
    owners = owners.slice(0, Math.max(64, size));
    const terms = postings.compact(renumber);
    vocabulary.compact(terms);
    leading.compact(renumber, terms);
    families.compact(renumber);
    pairs.compact(renumber);
    narrowed = new WeakMap();
  }

  function makeRoom(): void {
    if (size < owners.length) return;
    const [widerOwners, widerOpen] = [new Int32Array(size * 2), new Uint8Array(size * 2)];
    widerOwners.set(owners);
    widerOpen.set(open);
    [owners, open] = [widerOwners, widerOpen];
  }

  function passagesFor(among: readonly Tool[] | undefined): Passages {
    const hasExamples = size - dead > places.size;
    if (among === undefined) return { size, owners, open, tools: places.size, isAll: true, hasExamples, counts: new Map() };
    const known = narrowed.get(among);
    if (known?.generation === generation) return known.passages;
    const some = new Uint8Array(size);
    let count = 0;
    for (const tool of among) {
      const first = places.get(tool);
      if (first === undefined || some[first] === 1) continue;
      count++;
      for (let passage = first; passage < size && owners[passage] === first; passage++) some[passage] = 1;
    }
    const passages = { size, owners, open: some, tools: count, isAll: count === places.size, hasExamples, counts: new Map() };
    // A list that cannot change is known by its identity.
    if (Object.isFrozen(among)) narrowed.set(among, { generation, passages });
    return passages;
  }

  for (const tool of tools) add(tool);
  // Arrays that grew by doubling are cut to their size, with some room for changes.
  if (size > 0) compact();

  return {
    get size() {
      return places.size;
    },
    has: (tool) => places.has(tool),
    add,
    remove,
    search(request, { limit, among } = {}) {
      const query: Query = readQuery(request);
      const byName = (a: number, b: number): number => compareNames(byPlace[a]!, byPlace[b]!) || a - b;
      const { items, scores, gainsAt } = rank(query, passagesFor(among), readLimit(limit), byName);
      return Array.from(items, (place, at) => {
        const tool = byPlace[place]!;
        return toHit(tool, scores[at]!, () => explainHit(tool, sources.get(tool), query, gainsAt(at)));
      });
    },
  };
}

/** The reasons are computed when they are first read. */
function toHit<Tool extends SearchableTool>(tool: Tool, score: number, explain: () => ToolHit["why"]): ToolHit<Tool> {
  let why: ToolHit["why"] | undefined;
  return {
    tool,
    score,
    get why() {
      return (why ??= explain());
    },
  };
}

/** How quickly a repeated word stops adding to the score (k1 of BM25). */
const saturation = 1.9;

function toStrength(weight: number): number {
  return Math.max(1, Math.round((255 * weight) / (saturation + weight)));
}

function compareNames(a: SearchableTool, b: SearchableTool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
