import { type CharSet, unionOf } from "@toolrack/json-schema/internal";
import { isSpent, measureWork, spend } from "./work-budget.ts";
import { type Expression, type Expressions, firstGroups, intersectionOf } from "./expression.ts";

/** A deterministic automaton. It starts in state 0. */
export interface Automaton {
  readonly states: readonly State[];
}

export interface State {
  readonly accepts: boolean;
  readonly edges: readonly Edge[];
}

export interface Edge {
  readonly set: CharSet;
  readonly to: number;
}

const kept = new Map<string, { readonly result: Automaton | undefined; readonly steps: number }>();
const maxKept = 300;

/** The same formats, patterns and ranges recur in many tools, so an automaton is built, or given up, once per key. */
export function keptAutomaton(key: string, make: () => Automaton | undefined): Automaton | undefined {
  const known = kept.get(key);
  if (known !== undefined) return spend(known.steps) ? known.result : undefined;
  if (isSpent()) return undefined;
  const made = measureWork(make);
  if (isSpent()) return undefined;
  if (kept.size >= maxKept) kept.delete(kept.keys().next().value!);
  kept.set(key, made);
  return made.result;
}

/** The automaton of an expression, or undefined if it needs more states or work than allowed. Every state can reach an accepting one. */
export function toAutomaton(expressions: Expressions, start: Expression, maxStates: number): Automaton | undefined {
  const numbers = new Map<Expression, number>([[start, 0]]);
  const queue = [start];
  const states: State[] = [];
  for (const expression of queue) {
    const targets = new Map<Expression, CharSet[]>();
    const groups = firstGroups(expression);
    if (!spend(groups.length)) return undefined;
    for (const group of groups) {
      const next = expressions.derive(expression, group[0]!);
      if (next === expressions.none) continue;
      const sets = targets.get(next);
      if (sets === undefined) targets.set(next, [group]);
      else sets.push(group);
    }
    const edges: Edge[] = [];
    for (const [next, sets] of targets) {
      let to = numbers.get(next);
      if (to === undefined) {
        to = numbers.size;
        if (to >= maxStates) return undefined;
        numbers.set(next, to);
        queue.push(next);
      }
      edges.push({ set: unionOf(sets), to });
    }
    states.push({ accepts: expression.nullable, edges });
  }
  return minimal(pruned({ states }));
}

/** The automaton of the texts that both accept, or undefined if it needs more states than allowed. */
export function intersectAutomata(a: Automaton, b: Automaton, maxStates: number): Automaton | undefined {
  const numbers = new Map<string, number>([["0,0", 0]]);
  const queue: [number, number][] = [[0, 0]];
  const states: State[] = [];
  for (const [left, right] of queue) {
    const [one, other] = [a.states[left]!, b.states[right]!];
    const edges: Edge[] = [];
    if (!spend(one.edges.length * other.edges.length)) return undefined;
    for (const edge of one.edges) {
      for (const match of other.edges) {
        const set = intersectionOf(edge.set, match.set);
        if (set.length === 0) continue;
        const key = `${edge.to},${match.to}`;
        let to = numbers.get(key);
        if (to === undefined) {
          to = numbers.size;
          if (to >= maxStates) return undefined;
          numbers.set(key, to);
          queue.push([edge.to, match.to]);
        }
        edges.push({ set, to });
      }
    }
    states.push({ accepts: one.accepts && other.accepts, edges });
  }
  return minimal(pruned({ states }));
}

/** Whether an automaton accepts no text at all. */
export function isVoid({ states }: Automaton): boolean {
  return states.length === 1 && !states[0]!.accepts && states[0]!.edges.length === 0;
}

/** Removes the states that cannot reach an accepting one. */
function pruned({ states }: Automaton): Automaton {
  const sources: number[][] = states.map(() => []);
  for (const [from, { edges }] of states.entries()) for (const { to } of edges) sources[to]!.push(from);
  const live = new Set<number>();
  const queue = [...states.keys()].filter((index) => states[index]!.accepts);
  for (const index of queue) {
    if (live.has(index)) continue;
    live.add(index);
    queue.push(...sources[index]!);
  }
  if (!live.has(0)) return { states: [{ accepts: false, edges: [] }] };
  if (live.size === states.length) return { states };
  const numbers = new Map<number, number>();
  for (const index of states.keys()) if (live.has(index)) numbers.set(index, numbers.size);
  return {
    states: [...numbers.keys()].map((index) => ({
      accepts: states[index]!.accepts,
      edges: states[index]!.edges.flatMap(({ set, to }) => (live.has(to) ? [{ set, to: numbers.get(to)! }] : [])),
    })),
  };
}

/** Merges equal states, with the start state still first, and edges that lead to the same state. */
export function minimal({ states }: Automaton): Automaton {
  return merged(states, groupFromEnd(states) ?? groupByRounds(states));
}

/** Without cycles, other than loops of a state to itself, each state is compared once, after its successors. */
function groupFromEnd(states: readonly State[]): number[] | undefined {
  const order = fromEnd(states);
  if (order === undefined) return undefined;
  const groups: number[] = [];
  const known = new Map<string, number>();
  for (const index of order)
    groups[index] = groupOf(
      known,
      signature(states[index]!, (to) => (to === index ? "self" : groups[to]!)),
    );
  return groups;
}

/** The states, each after its successors; undefined if there is a cycle. */
function fromEnd(states: readonly State[]): number[] | undefined {
  const waiting = states.map(({ edges }, index) => new Set(edges.map(({ to }) => to).filter((to) => to !== index)));
  const sources: number[][] = states.map(() => []);
  for (const [from, targets] of waiting.entries()) for (const to of targets) sources[to]!.push(from);
  const order = [...states.keys()].filter((index) => waiting[index]!.size === 0);
  for (const index of order) {
    for (const from of sources[index]!) {
      waiting[from]!.delete(index);
      if (waiting[from]!.size === 0) order.push(from);
    }
  }
  return order.length === states.length ? order : undefined;
}

const maxRounds = 64;

/** Moore's algorithm: all states count as equal until they differ. States that are undecided after some rounds stay separate. */
function groupByRounds(states: readonly State[]): number[] {
  let groups: number[] = states.map(({ accepts }) => (accepts ? 1 : 0));
  let count = new Set(groups).size;
  const edges = states.reduce((sum, state) => sum + state.edges.length, 0);
  for (let round = 0; round < maxRounds && spend(edges); round++) {
    const known = new Map<string, number>();
    groups = states.map((state, index) => groupOf(known, `${groups[index]} ${signature(state, (to) => groups[to]!)}`));
    if (known.size === count) return groups;
    count = known.size;
  }
  return [...states.keys()];
}

function groupOf(known: Map<string, number>, key: string): number {
  const group = known.get(key) ?? known.size;
  known.set(key, group);
  return group;
}

function signature({ accepts, edges }: State, groupOfTarget: (to: number) => number | string): string {
  const joined = [...joinEdges(edges, groupOfTarget)].map(([group, set]) => `${group}:${set.join(",")}`);
  return `${accepts} ${joined.sort().join(";")}`;
}

function joinEdges<Target>(edges: readonly Edge[], targetOf: (to: number) => Target): Map<Target, CharSet> {
  const sets = new Map<Target, CharSet[]>();
  for (const { set, to } of edges) {
    const known = sets.get(targetOf(to));
    if (known === undefined) sets.set(targetOf(to), [set]);
    else known.push(set);
  }
  return new Map([...sets].map(([target, parts]) => [target, parts.length === 1 ? parts[0]! : unionOf(parts)]));
}

function merged(states: readonly State[], groups: readonly number[]): Automaton {
  const numbers = new Map<number, number>();
  const first: State[] = [];
  for (const [index, group] of groups.entries()) {
    if (numbers.has(group)) continue;
    numbers.set(group, numbers.size);
    first.push(states[index]!);
  }
  const shared = new Map<string, CharSet>(); // equal sets become one object, so that each is written once
  const share = (set: CharSet): CharSet => {
    const key = set.join();
    if (!shared.has(key)) shared.set(key, set);
    return shared.get(key)!;
  };
  return {
    states: first.map(({ accepts, edges }) => ({
      accepts,
      edges: [...joinEdges(edges, (to) => numbers.get(groups[to]!)!)].map(([to, set]) => ({ set: share(set), to })),
    })),
  };
}
