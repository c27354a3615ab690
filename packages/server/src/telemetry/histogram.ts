import { sample } from "./prometheus.ts";

/** Counts durations by size. */
export interface Histogram {
  add(seconds: number): void;
  /** In the text format: the counts up to each bound, the sum and the number. */
  lines(name: string, labels: string): readonly string[];
}

/** In seconds; from a call in the process to one that a person has to wait for. */
const bounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function createHistogram(): Histogram {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  let sum = 0;
  return {
    add(seconds) {
      let place = 0;
      while (place < bounds.length && seconds > bounds[place]!) place++;
      counts[place]! += 1;
      sum += seconds;
    },
    lines(name, labels) {
      const comma = labels === "" ? "" : ",";
      let below = 0;
      const buckets = counts.map((count, place) => {
        below += count;
        return sample(`${name}_bucket`, `${labels}${comma}le="${bounds[place] ?? "+Inf"}"`, below);
      });
      return [...buckets, sample(`${name}_sum`, labels, Number(sum.toFixed(6))), sample(`${name}_count`, labels, below)];
    },
  };
}
