/** Keeps the items with the highest scores of all that are offered. */
export interface Best {
  /** What scores less is not kept; for callers that want to spare the offer. */
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
export function createBest(limit: number, compare: (a: number, b: number) => number): Best {
  return limit <= mostInserted ? bestOfFew(limit, compare) : bestOfMany(limit, compare);
}

const mostInserted = 100;

/** Puts each at its place at once; what falls off is let go. */
function bestOfFew(limit: number, compare: (a: number, b: number) => number): Best {
  const items = new Int32Array(limit + 1);
  const scores = new Float64Array(limit + 1);
  let count = 0;
  const best: Best = {
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

function bestOfMany(limit: number, compare: (a: number, b: number) => number): Best {
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
