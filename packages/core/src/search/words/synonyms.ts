import { stem } from "./stem.ts";
import { groups } from "./synonym-table.ts";

/** Stems that may replace a stem: "delet" → "remov", "eras" … A word may be in several groups; their members do not mix. */
export function synonymsOf(stemmed: string): readonly string[] {
  return (byStem ??= readGroups()).get(stemmed) ?? none;
}

const none: readonly string[] = [];
let byStem: ReadonlyMap<string, readonly string[]> | undefined;

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const group of groups.split(",")) {
    const stems = new Set(group.trim().split(/\s+/).map(stem));
    for (const one of stems) {
      const others = found.get(one) ?? new Set();
      for (const other of stems) if (other !== one) others.add(other);
      found.set(one, others);
    }
  }
  return new Map([...found].map(([one, others]) => [one, [...others]]));
}
