import type { Grammar, Node } from "../tree/tree.ts";

/** A tree split into rules: a node that is used twice, repeated by count or nested deeply becomes a rule, to keep the text short. */
export interface Rules {
  /** By name, the root first, then in the order of first use. */
  readonly rules: ReadonlyMap<string, Node>;
  /** The rule that a part of the tree stands in; a printer writes this name instead of the part. */
  readonly nameOf: ReadonlyMap<Node, string>;
}

const maxInlineDepth = 24;
/** llama.cpp adds up the counts inside a group that is optional or repeated; a reference counts as one. */
const maxInlineCount = 50;

export function toRules(grammar: Grammar): Rules {
  const uses = countUses(grammar);
  const nameOf = new Map<Node, string>();
  const rules = new Map<string, Node>([["root", grammar.root]]);
  const taken = new Set(["root", ...grammar.rules.keys()]);
  let parts = 0;

  function partName(): string {
    let name: string;
    do name = `part-${++parts}`;
    while (taken.has(name));
    return name;
  }

  function deservesRule(node: Node, parent: Node, depth: number): boolean {
    if (node.kind === "rule" || node.kind === "text" || node.kind === "set") return false;
    if (depth > maxInlineDepth || countOf(node) > maxInlineCount) return true;
    if (parent.kind === "repeat" && (parent.min > 1 || (parent.max > 1 && parent.max !== Infinity))) return true;
    return uses.get(node)! > 1 && weight(node) > 2;
  }

  // A loop instead of recursion over rules: each rule's body is walked once, and the rules it needs are put behind it.
  for (const [, body] of rules) {
    const visit = (node: Node, depth: number): void => {
      for (const inner of childrenOf(node)) {
        if (inner.kind === "rule") {
          if (!rules.has(inner.name)) rules.set(inner.name, grammar.rules.get(inner.name)!);
        } else if (nameOf.has(inner)) continue;
        else if (deservesRule(inner, node, depth)) {
          const name = partName();
          nameOf.set(inner, name);
          rules.set(name, inner);
        } else visit(inner, depth + 1);
      }
    };
    if (body.kind === "rule") rules.set(body.name, grammar.rules.get(body.name)!);
    visit(body, 0);
  }
  return { rules, nameOf };
}

function countOf(node: Node): number {
  return node.kind !== "repeat" ? 1 : node.max === Infinity ? node.min : node.max;
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "sequence":
      return node.items;
    case "choice":
      return node.options;
    case "repeat":
      return [node.item];
    default:
      return [];
  }
}

function countUses(grammar: Grammar): Map<Node, number> {
  const uses = new Map<Node, number>();
  const queue = [grammar.root, ...grammar.rules.values()];
  for (const node of queue) {
    for (const inner of childrenOf(node)) {
      const count = uses.get(inner) ?? 0;
      uses.set(inner, count + 1);
      if (count === 0) queue.push(inner);
    }
  }
  return uses;
}

/** How many words it takes to write a part, roughly and up to a few. */
function weight(node: Node): number {
  if (node.kind === "set") return 1;
  if (node.kind === "text") return node.text.length > 12 ? 2 : 1;
  let sum = 0;
  for (const inner of childrenOf(node)) {
    sum += weight(inner);
    if (sum > 2) return sum;
  }
  return sum;
}
