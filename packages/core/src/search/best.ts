/** Keeps the items with the highest scores of all that are offered. */
export interface Best {
  /** What scores less is not kept; for callers that want to spare the offer. */
  least: number;
  offer(item: number, score: number): void;
  /** Best first. */
  inOrder(): readonly Scored[];
}

export interface Scored {
  readonly item: number;
  readonly score: number;
}

/** `compare` orders items of equal score. */
export function createBest(limit: number, compare: (a: number, b: number) => number): Best {
  const kept: Scored[] = [];
  const order = (a: Scored, b: Scored): number => b.score - a.score || compare(a.item, b.item);
  /** Beyond this many, each is put at its place at once, and those that fall off are let go. */
  const isFew = limit <= mostInserted;
  const best: Best = {
    least: limit === 0 ? Infinity : -Infinity,
    offer(item, score) {
      const scored = { item, score };
      if (!isFew) return void kept.push(scored);
      let low = 0;
      for (let high = kept.length; low < high;) {
        const middle = (low + high) >> 1;
        if (order(scored, kept[middle]!) < 0) high = middle;
        else low = middle + 1;
      }
      if (low === limit) return;
      kept.splice(low, 0, scored);
      if (kept.length > limit) kept.pop();
      if (kept.length === limit) best.least = kept[limit - 1]!.score;
    },
    inOrder: () => (isFew ? kept : kept.sort(order).slice(0, limit)),
  };
  return best;
}

const mostInserted = 100;
