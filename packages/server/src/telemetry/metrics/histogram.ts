/** Counts durations by size. */
export interface Histogram {
  add(seconds: number): void;
  /** In the text format: the counts up to each bound, the sum and the number. Rebuilt only after a change. */
  text(): string;
}

/** Counts from elsewhere: how many were at most as long as each bound, longer ones last. */
export interface CountedDurations {
  /** In seconds, rising. */
  readonly bounds: readonly number[];
  /** One more than there are bounds; not cumulative. */
  readonly buckets: readonly number[];
  /** The sum of all. */
  readonly seconds: number;
}

/** In seconds; from a call in the process to one that a person waits for. */
const ownBounds: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Under a name, with labels as `labels` writes them, and with bounds in seconds. */
export function createHistogram(name: string, labels: string, bounds: readonly number[] = ownBounds): Histogram {
  const counts = bounds.map(() => 0);
  counts.push(0);
  let heads: readonly string[] | undefined;
  let sum = 0;
  let text: string | undefined;
  return {
    add(seconds) {
      let index = 0;
      while (index < bounds.length && seconds > bounds[index]!) index++;
      counts[index]! += 1;
      sum += seconds;
      text = undefined;
    },
    text: () => (text ??= write((heads ??= headsOf(name, labels, bounds)), counts, sum)),
  };
}

export function durationsText(name: string, counted: CountedDurations): string {
  return write(headsOf(name, "", counted.bounds), counted.buckets, counted.seconds);
}

/** The part before the number in each line. */
function headsOf(name: string, labels: string, upTo: readonly number[]): readonly string[] {
  const comma = labels === "" ? "" : ",";
  const around = labels === "" ? "" : `{${labels}}`;
  const buckets = [...upTo, "+Inf"].map((bound) => `${name}_bucket{${labels}${comma}le="${bound}"} `);
  return [...buckets, `${name}_sum${around} `, `${name}_count${around} `];
}

function write(heads: readonly string[], counts: readonly number[], sum: number): string {
  let below = 0;
  let text = "";
  for (let index = 0; index < counts.length; index++) {
    below += counts[index]!;
    text += `${heads[index]!}${below}\n`;
  }
  return `${text}${heads[counts.length]!}${Number(sum.toFixed(6))}\n${heads[counts.length + 1]!}${below}\n`;
}
