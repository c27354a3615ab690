export interface Scored<Item> {
  readonly item: Item;
  readonly score: number;
}

/** Joins two orders by the places in them, so that scores of different kinds need not be compared. */
export function fuse<Item>(orders: readonly (readonly Scored<Item>[])[]): readonly Scored<Item>[] {
  const scores = new Map<Item, number>();
  for (const order of orders) order.forEach(({ item }, place) => scores.set(item, (scores.get(item) ?? 0) + 1 / (placeWeight + place)));
  return [...scores].map(([item, score]) => ({ item, score })).sort((a, b) => b.score - a.score);
}

const placeWeight = 60;
