import { grow } from "./grow.ts";
import type { SearchableTool } from "../search.ts";

/** Which tools belong together: those of one source, or with one prefix in their names. Each family has a number, from 0 up. */
export interface Families {
  /** How many numbers have been given out. */
  readonly size: number;
  /** By passage. A tool without related tools is a family of its own. */
  readonly byPassage: Int32Array;
  /** Adds the passages from `first` to before `end`. */
  add(first: number, end: number, family: string | undefined): void;
  /** Removes the passages whose entry in `renumber` is -1, and gives the others their new numbers; their order must stay the same. */
  compact(renumber: Int32Array): void;
}

/** "github" for a tool from there; without a source "Weather" for "Weather: Daily forecast", "math" for "math.add"; nothing for "send_mail". */
export function familyOf({ name }: SearchableTool, source: string | undefined): string | undefined {
  if (source !== undefined) return `source ${source}`;
  const end = typeof name === "string" ? name.search(/[:/.]|__/) : -1;
  return end > 0 ? `name ${name.slice(0, end)}` : undefined;
}

export function createFamilies(): Families {
  let byPassage = new Int32Array(64);
  let numbers = new Map<string, number>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    get byPassage() {
      return byPassage;
    },
    add(first, end, family) {
      if (end > byPassage.length) byPassage = grow(byPassage, Math.max(end, byPassage.length * 2));
      let number = family === undefined ? undefined : numbers.get(family);
      if (number === undefined) {
        number = size++;
        if (family !== undefined) numbers.set(family, number);
      }
      byPassage.fill(number, first, end);
    },
    compact(renumber) {
      const next = new Int32Array(size).fill(-1);
      size = 0;
      for (let passage = 0; passage < renumber.length; passage++) {
        if (renumber[passage]! < 0) continue;
        const number = byPassage[passage]!;
        if (next[number] === -1) next[number] = size++;
        byPassage[renumber[passage]!] = next[number]!;
      }
      numbers = new Map([...numbers].map(([family, number]) => [family, next[number]!] as const).filter(([, number]) => number >= 0));
    },
  };
}
