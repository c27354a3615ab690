/** "serch" among ["search", "read"] → ["search"]: the names close enough to be meant, best first, at most three. */
export function nearestNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const target = fold(wanted.slice(0, maxLength));
  const allowed = Math.min(maxEdits, Math.max(1, Math.floor(target.length / 3)));
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const other = fold(name.slice(0, maxLength));
    if (Math.abs(other.length - target.length) > allowed && !isPart(target, other)) continue;
    const distance = target === other ? 0 : isPart(target, other) ? 0.5 : editDistance(target, other, allowed);
    if (distance <= allowed) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((entry) => entry.name);
}

/**
 * "propertes" among ["properties", "type"] → "properties": the name that a misspelt word means. Stricter than `nearestNames`, for
 * words that may well be somebody's own: both begin with the same letter and are about as long.
 */
export function misspellingOf(word: string, names: Iterable<string>): string | undefined {
  const [near = ""] = nearestNames(word, names, 1);
  const isSlip = near.length > 3 && fold(near)[0] === fold(word)[0] && Math.abs(near.length - word.length) <= Math.max(1, near.length / 6);
  return isSlip ? near : undefined;
}

/** Names are compared up to this length, so that a hostile name costs no more than an honest one. */
const maxLength = 128;

/** A word that differs in more places was not meant, however long it is. */
const maxEdits = 4;

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** "file_path" and "path" share a word: one of them, if long enough, begins or ends the other. */
function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
}

/** Edits (insert, delete, replace, swap of neighbours) between two words; anything above `limit` is returned as `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
