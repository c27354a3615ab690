import type { Parser } from "acorn";

/** Thrown by parsers. No SyntaxError, which the parser for TypeScript takes for a try that failed. */
export class NestedTooDeeply extends Error {}

export const nestedTooDeeply =
  "The program is nested too deeply: brackets, blocks and functions can go 200 levels deep, and an expression can have 1,000 operators in a row. Use variables for inner parts.";

/** What one level of each part of the grammar counts. Every way for a text to be nested leads through one of them again and again. */
const weights: Readonly<Record<string, number>> = {
  parseStatement: 10,
  parseFunctionBody: 5,
  // A bracket has one of each of these four.
  parseMaybeAssign: 6,
  parseExprOp: 3,
  parseMaybeUnary: 3,
  parseExprAtom: 3,
  parseBindingAtom: 15,
  tsParseType: 12,
  tsParseTypeOperatorOrHigher: 3,
};
const maximum = 3_000;

interface Counting {
  nesting: number;
}
type Parse = (this: Counting, ...given: unknown[]) => unknown;

/**
 * Ends a parser long before the stack does: a host that compiles a regular expression of its own near the end of the stack ends the process, which
 * no handler catches. Counted by the parser itself, so that no text in quotes, comments or patterns is taken for a bracket, or hides one.
 */
export function boundedDepth(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...given: unknown[]) => object;
  const inner = Base.prototype as Readonly<Record<string, Parse | undefined>>;
  class Bounded extends Base {
    nesting = 0;
  }
  for (const [name, weight] of Object.entries(weights)) {
    const parse = inner[name];
    if (parse === undefined) continue;
    const counted = function (this: Counting, a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown): unknown {
      if ((this.nesting += weight) > maximum) throw new NestedTooDeeply();
      try {
        return parse.call(this, a, b, c, d, e, f);
      } finally {
        this.nesting -= weight;
      }
    };
    Object.defineProperty(Bounded.prototype, name, { value: counted, configurable: true, writable: true });
  }
  return Bounded as unknown as typeof Parser;
}
