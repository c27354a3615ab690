import { maxGbnfRepeat } from "../print/print-gbnf.ts";
import type { Node, Tree } from "./tree.ts";

/** Larger counts are written as unbounded; the caller records the loss. */
export const largestCount = 100_000;

const chunk = 1_000;

/**
 * `item` from `min` to `max` times. Engines cap a counted repeat, so that a long one is written in chunks of a thousand, each a rule that
 * another one refers to: x{0,2500} → x{0,999} | thousand (x{0,999} | thousand x{0,500}).
 */
export function counted(tree: Tree, item: Node, min: number, max: number): Node {
  const least = Math.min(min, largestCount);
  if (max <= maxGbnfRepeat || (max > largestCount && least <= maxGbnfRepeat)) {
    return tree.repeat(item, least, max > largestCount ? Infinity : max);
  }
  const thousand = exactly(tree, item);
  const chunks = Math.floor(least / chunk);
  if (chunks > 0)
    return tree.sequence(tree.repeat(thousand, chunks, chunks), counted(tree, item, least - chunks * chunk, max - chunks * chunk));
  return tree.choice(tree.repeat(item, least, chunk - 1), tree.sequence(thousand, counted(tree, item, 0, max - chunk)));
}

function exactly(tree: Tree, item: Node): Node {
  const body = tree.repeat(item, chunk, chunk);
  let others = 0;
  for (const [name, known] of tree.rules) {
    if (known === body) return tree.rule(name);
    if (name.startsWith("thousand-")) others++;
  }
  return tree.define(`thousand-${others + 1}`, () => body);
}
