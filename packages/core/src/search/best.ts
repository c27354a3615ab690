/** The first `limit` of the items in the order of `compare`, without sorting the others. */
export function best(items: Int32Array, limit: number, compare: (a: number, b: number) => number): number[] {
  const chosen: number[] = [];
  if (limit === 0) return chosen;
  if (limit >= items.length) return Array.from(items).sort(compare);
  for (const item of items) {
    if (chosen.length === limit && compare(item, chosen[limit - 1]!) >= 0) continue;
    let low = 0;
    for (let high = chosen.length; low < high;) {
      const middle = (low + high) >> 1;
      if (compare(item, chosen[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    chosen.splice(low, 0, item);
    if (chosen.length > limit) chosen.pop();
  }
  return chosen;
}
