/** Keeps the items with the highest scores. */
export interface TopItems {
  /** Items with a lower score are not kept, so callers need not offer them. */
  least: number;
  offer(item: number, score: number): void;
  inOrder(): Ranking;
}

/** Items and the score of each, best first. */
export interface Ranking {
  readonly items: Int32Array;
  readonly scores: Float64Array;
}

/** `compare` orders items of equal score. */
export function createTopItems(limit: number, compare: (a: number, b: number) => number): TopItems {
  return limit <= mostInserted ? bestOfFew(limit, compare) : bestOfMany(limit, compare);
}

const mostInserted = 100;

/** Inserts each item into a sorted list of limited length. */
function bestOfFew(limit: number, compare: (a: number, b: number) => number): TopItems {
  const items = new Int32Array(limit + 1);
  const scores = new Float64Array(limit + 1);
  let count = 0;
  const best: TopItems = {
    least: limit === 0 ? Infinity : -Infinity,
    offer(item, score) {
      let at = count;
      for (; at > 0; at--) {
        const ahead = scores[at - 1]! - score;
        if (ahead > 0 || (ahead === 0 && compare(items[at - 1]!, item) < 0)) break;
        items[at] = items[at - 1]!;
        scores[at] = scores[at - 1]!;
      }
      items[at] = item;
      scores[at] = score;
      if (count < limit) count++;
      if (count === limit && limit > 0) best.least = scores[limit - 1]!;
    },
    inOrder: () => ({ items: items.slice(0, count), scores: scores.slice(0, count) }),
  };
  return best;
}

function bestOfMany(limit: number, compare: (a: number, b: number) => number): TopItems {
  const offered: number[] = [];
  const scores = new Map<number, number>();
  return {
    least: -Infinity,
    offer(item, score) {
      offered.push(item);
      scores.set(item, score);
    },
    inOrder() {
      const items = offered.sort((a, b) => scores.get(b)! - scores.get(a)! || compare(a, b)).slice(0, limit);
      return { items: Int32Array.from(items), scores: Float64Array.from(items, (item) => scores.get(item)!) };
    },
  };
}
