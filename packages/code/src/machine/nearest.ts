import type { Machine } from "./machine.ts";

/** The name that is most like another one, if any is. Counted: a program may catch the error that names it, again and again. */
export function nearest(m: Machine, name: string, names: readonly string[]): string | undefined {
  const longest = 150;
  if (name.length > longest) return undefined;
  const plain = normal(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  const candidates = names.slice(0, 2_000);
  m.charge(candidates.length >> 2);
  for (const candidate of candidates) {
    if (normal(candidate) === plain) return candidate;
    if (Math.abs(candidate.length - name.length) >= bestDistance || candidate.length > 100) continue;
    m.charge((name.length * candidate.length) >> 6);
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] as number;
}
