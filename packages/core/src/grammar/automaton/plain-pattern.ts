import { type CharSet, type Regex, someRegex } from "@toolrack/json-schema/internal";
import { counted } from "../tree/counted.ts";
import type { Node, Tree } from "../tree/tree.ts";

/**
 * A pattern that is anchored at both ends, with the length of the text built in: /^[a-z]+$/ of at most 64 → [a-z]{1,64}.
 * Undefined if the length does not depend on a single count.
 */
export function withLength(regex: Regex, min: number, max: number): Regex | undefined {
  const inner = withoutAnchors(regex)?.items;
  if (inner === undefined) return undefined;
  const lengths = inner.map(lengthOf);
  const open = lengths.flatMap((length, index) => (length === undefined ? [index] : []));
  if (open.length === 0 && min === 0 && max === Infinity) return { kind: "sequence", items: inner };
  const variable = open.length === 1 ? inner[open[0]!]! : undefined;
  if (variable?.kind !== "repeat" || variable.item.kind !== "set") return undefined;
  const fixed = lengths.reduce((sum: number, length) => sum + (length ?? 0), 0);
  const least = Math.max(variable.min, min - fixed);
  const most = Math.min(variable.max, max - fixed);
  if (most < least) return { kind: "set", set: [] };
  return { kind: "sequence", items: inner.with(open[0]!, { ...variable, min: least, max: most }) };
}

/** The part between ^ and $, if it has no further assertion. */
export function withoutAnchors(regex: Regex): (Regex & { kind: "sequence" }) | undefined {
  const items = regex.kind === "sequence" ? regex.items : [];
  const [first, last] = [items[0], items.at(-1)];
  if (first?.kind !== "assert" || first.at !== "start" || last?.kind !== "assert" || last.at !== "end") return undefined;
  const inner = items.slice(1, -1);
  const asserts = inner.some((item) => someRegex(item, (part) => part.kind === "assert" || part.kind === "look"));
  return asserts ? undefined : { kind: "sequence", items: inner };
}

/** The pattern part by part. Contract: no assertions. */
export function regexNode(tree: Tree, regex: Regex, write: (set: CharSet) => Node): Node {
  switch (regex.kind) {
    case "set":
      return write(regex.set);
    case "sequence":
      return tree.sequence(...regex.items.map((item) => regexNode(tree, item, write)));
    case "choice":
      return tree.choice(...regex.options.map((option) => regexNode(tree, option, write)));
    case "repeat":
      return counted(tree, regexNode(tree, regex.item, write), regex.min, regex.max);
    default:
      throw new TypeError(`A pattern with ${regex.kind} is not plain.`);
  }
}

/** How many characters a part reads, if that is always the same. */
function lengthOf(regex: Regex): number | undefined {
  switch (regex.kind) {
    case "set":
      return 1;
    case "sequence":
      return regex.items.reduce((sum: number | undefined, item) => add(sum, lengthOf(item)), 0);
    case "choice": {
      const lengths = new Set(regex.options.map(lengthOf));
      return lengths.size === 1 ? [...lengths][0] : undefined;
    }
    case "repeat": {
      const length = regex.min === regex.max ? lengthOf(regex.item) : undefined;
      return length === undefined ? undefined : length * regex.min;
    }
    default:
      return 0;
  }
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
