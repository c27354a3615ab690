/** How alike two texts are, from 0 to 1, by the pairs of letters they share. Only the first 200 characters count. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const [one, other] = [pairsOf(a), pairsOf(b)];
  const total = one.size + other.size;
  if (total === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / total;
}

/** How much of a text can be found in another one, from 0 to 1, by pairs of letters. */
export function coverage(wanted: string, text: string): number {
  const [asked, there] = [pairsOf(wanted), pairsOf(text)];
  if (asked.size === 0) return 0;
  let found = 0;
  for (const pair of asked) if (there.has(pair)) found++;
  return found / asked.size;
}

/** The names most like the wanted one, best first. */
export function similarNames(wanted: string, names: readonly string[], limit = 3): string[] {
  return names
    .map((name) => ({ name, score: likeness(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  const end = Math.min(text.length, 200) - 1;
  for (let at = 0; at < end; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
