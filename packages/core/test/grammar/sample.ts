import type { Part, Recogniser } from "./gbnf-recogniser.ts";

/** Writes random texts of a grammar. The same seed gives the same texts. */
export function createSampler({ rules }: Recogniser, seed: number): () => string {
  const random = generator(seed);
  const heights = heightsOf(rules);
  const below = (count: number): number => Math.floor(random() * count);

  function height(part: Part): number {
    switch (part.kind) {
      case "rule":
        return (heights.get(part.name) ?? Infinity) + 1;
      case "sequence":
        return Math.max(0, ...part.items.map(height));
      case "choice":
        return Math.min(...part.options.map(height));
      case "repeat":
        return part.min === 0 ? 0 : height(part.item);
      default:
        return 0;
    }
  }

  function write(part: Part, room: number): string {
    switch (part.kind) {
      case "text":
        return String.fromCodePoint(...part.codes);
      case "class":
        return characterOf(part);
      case "rule":
        return write(rules.get(part.name)!, room - 1);
      case "sequence":
        return part.items.map((item) => write(item, room)).join("");
      case "choice": {
        const finite = room > 0 ? part.options : part.options.filter((option) => height(option) === height(part));
        return write(finite[below(finite.length)]!, room);
      }
      case "repeat": {
        const most = room > 0 ? Math.min(part.max, part.min + 4) : part.min;
        const atBound = part.max !== Infinity && room > 0 && below(8) === 0;
        const count = atBound ? part.max : part.min + below(most - part.min + 1);
        return Array.from({ length: count }, () => write(part.item, room - 1)).join("");
      }
    }
  }

  function characterOf(part: Part & { kind: "class" }): string {
    if (!part.negated) {
      const [from, to] = part.ranges[below(part.ranges.length)]!;
      return String.fromCodePoint(from + below(to - from + 1));
    }
    for (;;) {
      const code = [0x20 + below(0x5f), 0xe9, 0x4e2d, 0x1f600, 0x7f + below(0x200), below(0x20)][below(6)]!;
      if (!part.ranges.some(([from, to]) => code >= from && code <= to)) return String.fromCodePoint(code);
    }
  }

  return () => write({ kind: "rule", name: "root" }, 14);
}

/** How many rules deep a text of each rule is at least. */
function heightsOf(rules: ReadonlyMap<string, Part>): ReadonlyMap<string, number> {
  const heights = new Map<string, number>();
  const height = (part: Part): number => {
    if (part.kind === "rule") return (heights.get(part.name) ?? Infinity) + 1;
    if (part.kind === "sequence") return Math.max(0, ...part.items.map(height));
    if (part.kind === "choice") return Math.min(...part.options.map(height));
    if (part.kind === "repeat") return part.min === 0 ? 0 : height(part.item);
    return 0;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const [name, part] of rules) {
      const found = height(part);
      if (found < (heights.get(name) ?? Infinity)) {
        heights.set(name, found);
        changed = true;
      }
    }
  }
  return heights;
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
