import { readQuery } from "./query/query.ts";
import type { SearchableTool, ToolHit } from "./search.ts";

export interface UsageOptions {
  /** The most that usage may add to a score; scores by words are at most 1. @default 0.25 */
  readonly maxAdded?: number;
  /** How many pairs of query and tool are remembered for each owner; the oldest are removed first. @default 500 */
  readonly maxKept?: number;
  /** For how many owners; the oldest are removed first. @default 1_000 */
  readonly maxOwners?: number;
}

/**
 * Remembers which tools were called successfully after which queries, and raises their score for similar queries.
 * Contract: what one owner did changes nothing for another; nothing is added beyond `maxAdded`; only tools that were found are raised.
 */
export interface SearchUsage {
  /** A call of the tool succeeded after this query. */
  note(owner: string, query: string, tool: string): void;
  /** The hits in their new order, with the reason for each one that was raised. */
  raise<Tool extends SearchableTool>(owner: string, query: string, hits: readonly ToolHit<Tool>[]): ToolHit<Tool>[];
  /** Forgets an owner. */
  forget(owner: string): void;
}

interface Kept {
  readonly words: ReadonlySet<string>;
  readonly tool: string;
  calls: number;
}

export function createSearchUsage({ maxAdded = 0.25, maxKept = 500, maxOwners = 1_000 }: UsageOptions = {}): SearchUsage {
  const byOwner = new Map<string, Map<string, Kept>>();

  function latest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
    map.delete(key);
    map.set(key, value);
    const oldest = map.keys().next().value;
    if (map.size > most && oldest !== undefined) map.delete(oldest);
  }

  return {
    note(owner, query, tool) {
      const words = wordsOf(query);
      if (words.size === 0) return;
      const kept = byOwner.get(owner) ?? new Map<string, Kept>();
      latest(byOwner, owner, kept, maxOwners);
      const key = JSON.stringify([tool, [...words].sort()]);
      const known = kept.get(key) ?? { words, tool, calls: 0 };
      known.calls++;
      latest(kept, key, known, maxKept);
    },
    raise(owner, query, hits) {
      const kept = byOwner.get(owner);
      if (kept === undefined) return [...hits];
      const words = wordsOf(query);
      const raised = hits.map((hit) => {
        let added = 0;
        let calls = 0;
        for (const known of kept.values()) {
          if (known.tool !== hit.tool.name) continue;
          const alike = likeness(words, known.words);
          if (alike < leastLikeness) continue;
          calls += known.calls;
          added = Math.max(added, maxAdded * alike * (known.calls / (known.calls + 1)));
        }
        return added === 0 ? hit : { ...hit, score: hit.score + added, why: [...hit.why, { kind: "usage", calls, added } as const] };
      });
      return raised.sort((a, b) => b.score - a.score);
    },
    forget: (owner) => void byOwner.delete(owner),
  };
}

const leastLikeness = 0.5;

function wordsOf(query: string): ReadonlySet<string> {
  return new Set(
    readQuery(query)
      .terms.filter(({ pair }) => pair === undefined)
      .map(({ term }) => term),
  );
}

/** The share of words that two queries have in common, from 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared / (one.size + other.size - shared || 1);
}
