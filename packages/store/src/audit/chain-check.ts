import { type AuditEnd, type AuditRow, type ChainEnds, mainChain } from "../engine/audit.ts";
import { rootOfEnds, type StatedChains } from "./anchor.ts";

/** A line that is not what it should be. */
export interface LineFault {
  readonly number: number;
  readonly fact: string;
}

/** Follows every chain through the lines of an audit, which are passed in the order of their numbers. */
export interface ChainCheck {
  /** Whether the line continues its chain; undefined where it does. */
  findFault(row: AuditRow): string | undefined;
  /** Compares with what a line states about the chains as they are after the last line that was passed. `isAll`: it states every chain. */
  findFaultIn(stated: StatedChains, statedBy: number, options?: { readonly isAll: boolean }): LineFault | undefined;
  /** Call it after the last line. */
  findFaultOfEnds(last: AuditEnd): LineFault | undefined;
}

interface Reached {
  readonly place: number;
  readonly number: number;
  readonly hash: string;
}

/**
 * `chains`: as they were when the audit had at least the lines up to `upTo`. Others may write meanwhile, so that chains may go on with later lines
 * than those.
 */
export function createChainCheck(first: AuditEnd, chains: readonly ChainEnds[], upTo: number): ChainCheck {
  /** Chains whose end was met. */
  const met = new Set(
    chains.filter(({ first: begin, last }) => begin.place === last.place && begin.hash === last.hash).map(({ chain }) => chain),
  );
  /** The first line of each chain that was passed. */
  const begun = new Map<string, number>();
  const ends = new Map(chains.map(({ chain, last }) => [chain, last]));
  const reached = new Map<string, Reached>([[mainChain, { place: 0, ...first }]]);
  for (const { chain, first: begin } of chains) reached.set(chain, { ...begin, number: first.number });
  const at = (chain: string): Reached => reached.get(chain) ?? { place: 0, number: first.number, hash: "" };

  return {
    findFault(row) {
      const chain = row.chain === "" ? mainChain : row.chain;
      const before = at(chain);
      if (!begun.has(chain)) begun.set(chain, row.number);
      if (row.previous !== before.hash) return "it does not follow the line before it";
      if (row.place !== (chain === mainChain ? 0 : before.place + 1)) return "it has not the place in its chain that follows";
      reached.set(chain, { place: row.place, number: row.number, hash: row.hash });
      const end = ends.get(chain);
      if (end?.place === row.place && end.hash === row.hash) met.add(chain);
      else if (row.number <= upTo) met.delete(chain);
      return undefined;
    },
    findFaultIn({ upTo, main, root, ends }, statedBy, { isAll } = { isAll: false }) {
      if (rootOfEnds(ends) !== root) return { number: statedBy, fact: "the root that it states is not that of the ends that it states" };
      if (upTo < first.number) return undefined; // what it states was removed by retention
      const stated = new Set([mainChain, ...ends.map(([chain]) => chain)]);
      for (const [chain, { number }] of isAll ? reached : [])
        if (number > first.number && !stated.has(chain))
          return { number, fact: `line ${statedBy} confirms every line before it, and not this one` };
      for (const [chain, place, number, hash] of ends) {
        const is = at(chain);
        // Lines up to the first one are gone, and a signed line says so.
        if (number <= first.number || (is.place === place && is.number === number && is.hash === hash)) continue;
        const fact = `line ${statedBy} states that it was line ${place} of the chain ${chain.slice(0, 40)} and the last one there: the chain was cut, or rewritten`;
        return { number, fact };
      }
      const fact = `line ${statedBy} states another end of the chain "${mainChain}": that chain was cut, or rewritten`;
      return at(mainChain).hash === main ? undefined : { number: upTo, fact };
    },
    findFaultOfEnds({ number, hash }) {
      if (at(mainChain).hash !== hash) return { number, fact: "it is not the line that was written last" };
      const known = new Set([mainChain, ...chains.map(({ chain }) => chain)]);
      for (const [chain, begin] of begun)
        if (begin <= upTo && !known.has(chain)) return { number: at(chain).number, fact: "its chain is not among the chains of the audit" };
      for (const { chain } of chains) {
        if (met.has(chain)) continue;
        const fact = `the chain ${chain.slice(0, 40)} does not end with the line that was written last to it`;
        return { number: at(chain).number, fact };
      }
      return undefined;
    },
  };
}
