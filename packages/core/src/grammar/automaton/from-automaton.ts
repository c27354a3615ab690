import type { CharSet } from "@toolrack/json-schema/internal";
import type { Automaton } from "./automaton.ts";
import type { Node, Tree } from "../tree/tree.ts";

/**
 * The texts of an automaton as a node of the tree; the same automaton gives the same node. `write` writes one character of a set.
 * Cycles become rules, whose names begin with `name`. A state that only loops to itself repeats at most
 * `maxLoop` times.
 */
export function fromAutomaton(
  tree: Tree,
  automaton: Automaton,
  write: (set: CharSet) => Node,
  name: string,
  maxLoop: number = Infinity,
): Node {
  return tree.once(automaton, () => walk(tree, automaton, write, name, maxLoop));
}

function walk(tree: Tree, { states }: Automaton, write: (set: CharSet) => Node, name: string, maxLoop: number): Node {
  const returns = returnTargets(states.map(({ edges }, index) => edges.map(({ to }) => to).filter((to) => to !== index)));
  const prefix = returns.size === 0 ? name : freePrefix(tree, name);
  const built = new Map<number, Node>();

  function build(index: number): Node {
    const known = built.get(index);
    if (known !== undefined) return known;
    if (returns.has(index)) built.set(index, tree.rule(`${prefix}-${index}`));
    const { accepts, edges } = states[index]!;
    const onward = edges.filter(({ to }) => to !== index).map(({ set, to }) => tree.sequence(write(set), build(to)));
    const rest = tree.choice(...onward, ...(accepts ? [tree.empty] : []));
    const loop = edges.find(({ to }) => to === index);
    const node = loop === undefined ? rest : tree.sequence(tree.repeat(write(loop.set), 0, maxLoop), rest);
    if (returns.has(index)) return tree.define(`${prefix}-${index}`, () => node);
    built.set(index, node);
    return node;
  }

  return build(0);
}

/** "text" → "text", or "text-b" if rules of that name are taken; letters, because numbers follow. */
function freePrefix(tree: Tree, name: string): string {
  const taken = new Set([...tree.rules.keys()].map((rule) => rule.replace(/-\d+$/, "")));
  let prefix = name;
  for (let count = 1; taken.has(prefix); count++) prefix = `${name}-${letters(count)}`;
  return prefix;
}

function letters(count: number): string {
  return (count >= 26 ? letters(Math.floor(count / 26) - 1) : "") + String.fromCharCode(97 + (count % 26));
}

/** The states that a depth-first walk from state 0 meets again before it leaves them: every cycle has one. */
function returnTargets(edges: readonly (readonly number[])[]): Set<number> {
  const targets = new Set<number>();
  const progress = new Map<number, "open" | "closed">([[0, "open"]]);
  const work = [{ state: 0, next: 0 }];
  while (work.length > 0) {
    const frame = work.at(-1)!;
    const to = edges[frame.state]![frame.next++];
    if (to === undefined) {
      progress.set(frame.state, "closed");
      work.pop();
    } else if (progress.get(to) === "open") targets.add(to);
    else if (!progress.has(to)) {
      progress.set(to, "open");
      work.push({ state: to, next: 0 });
    }
  }
  return targets;
}
