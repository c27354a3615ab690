import type { Regex } from "./parse.ts";

export interface RegexSize {
  /** The steps of the pattern once its counted repeats are written out: a{3}b has four. */
  readonly steps: number;
  /** How often the most repeated part is written: six times the a of (?:a{3}){2}. */
  readonly copies: number;
}

export function sizeOf(regex: Regex): RegexSize {
  switch (regex.kind) {
    case "set":
    case "assert":
      return { steps: 1, copies: 1 };
    case "look": {
      const { steps, copies } = sizeOf(regex.item);
      return { steps: steps + 1, copies };
    }
    case "sequence":
      return total(regex.items);
    case "choice": {
      const { steps, copies } = total(regex.options);
      return { steps: steps + regex.options.length - 1, copies };
    }
    case "repeat": {
      const { steps, copies } = sizeOf(regex.item);
      const count = regex.max === Infinity ? regex.min + 1 : regex.max;
      const forks = regex.max === Infinity ? 1 : regex.max - regex.min;
      return { steps: steps * count + forks, copies: copies * Math.max(count, 1) };
    }
  }
}

function total(parts: readonly Regex[]): RegexSize {
  const sizes = parts.map(sizeOf);
  return {
    steps: sizes.reduce((sum, { steps }) => sum + steps, 0),
    copies: sizes.reduce((most, { copies }) => Math.max(most, copies), 1),
  };
}
