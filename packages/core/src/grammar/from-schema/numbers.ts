import { isObject } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { type Automaton, type Edge, intersectAutomata, isVoid, keptAutomaton, minimal, toAutomaton } from "../automaton/automaton.ts";
import { atLeast, atMost, digits, toDecimal } from "./decimal.ts";
import { type Expression, Expressions } from "../automaton/expression.ts";
import { fromAutomaton } from "../automaton/from-automaton.ts";
import type { Location } from "../loss.ts";
import type { Node, Tree } from "../tree/tree.ts";

const maxStates = 4_000;
const maxDigits = 20;
/** A double keeps this many digits exactly; more could round up to an excluded limit. */
const exactDigits = 15;

/** The numbers that a schema of type number or integer allows. Exponents are written where the whole range that they reach is allowed. */
export function numberNode(tree: Tree, schema: JsonSchema, type: "number" | "integer", location: Location): Node {
  const range = rangeOf(schema, type === "integer");
  const step = typeof schema["multipleOf"] === "number" ? schema["multipleOf"] : undefined;
  const excluded = excludedNumbers(schema["not"]);
  const isFraction = excludesIntegers(schema["not"]);
  if (isFraction && type === "integer") return tree.nothing;
  if (range.low === -Infinity && range.high === Infinity && step === undefined && excluded.length === 0 && !isFraction) {
    return type === "integer" ? anyInteger(tree) : anyNumber(tree);
  }
  if (range.low > range.high) return tree.nothing;
  const automaton = keptAutomaton(`${type} ${Object.values(range).join()} ${excluded.join()} ${isFraction}`, () => {
    const make = new Expressions();
    const allowed = make.or(...signed(make, range, type === "integer"));
    const unwanted = [...excluded.map((value) => spellings(make, value)), ...(isFraction ? [integers(make)] : [])];
    return toAutomaton(make, make.and(allowed, ...unwanted.map((part) => make.not(part))), maxStates);
  });
  if (automaton === undefined) {
    location.lose(type, "the range has too many digits for a grammar");
    return type === "integer" ? anyInteger(tree) : anyNumber(tree);
  }
  const stepped = withStep(automaton, step, location);
  const plain = isVoid(stepped)
    ? tree.nothing
    : fromAutomaton(tree, stepped, (set) => tree.set(set), type, isFraction ? fractionRun : longestRun(range));
  return tree.choice(plain, ...(step === undefined && !isFraction ? exponents(tree, range, type === "integer") : []));
}

export function anyInteger(tree: Tree): Node {
  return tree.define("integer", () => tree.sequence(tree.optional(tree.text("-")), whole(tree)));
}

export function anyNumber(tree: Tree): Node {
  return tree.define("number", () => {
    const fraction = tree.optional(tree.sequence(tree.text("."), tree.repeat(tree.set(digits), 1, maxDigits)));
    const hundreds = tree.sequence(tree.set([49, 50]), tree.repeat(tree.set(digits), 2, 2));
    const size = tree.choice(tree.repeat(tree.set(digits), 1, 2), hundreds, tree.sequence(tree.text("30"), tree.set([48, 55])));
    const power = tree.sequence(tree.set([69, 69, 101, 101]), tree.optional(tree.set([43, 43, 45, 45])), size);
    const scientific = tree.sequence(tree.set(digits), fraction, power); // one digit before the point: no text is beyond what a double holds
    return tree.sequence(tree.optional(tree.text("-")), tree.choice(tree.sequence(whole(tree), fraction), scientific));
  });
}

function whole(tree: Tree): Node {
  return tree.choice(tree.text("0"), tree.sequence(tree.set([49, 57]), tree.repeat(tree.set(digits), 0, maxDigits - 1)));
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly lowExcluded: boolean;
  readonly highExcluded: boolean;
}

function rangeOf(schema: JsonSchema, isInteger: boolean): Range {
  const bound = (keyword: string, otherwise: number): number => (typeof schema[keyword] === "number" ? schema[keyword] : otherwise);
  const [minimum, above] = [bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity)];
  const [maximum, below] = [bound("maximum", Infinity), bound("exclusiveMaximum", Infinity)];
  const range = {
    low: Math.max(minimum, above),
    high: Math.min(maximum, below),
    lowExcluded: above >= minimum && above !== -Infinity,
    highExcluded: below <= maximum && below !== Infinity,
  };
  if (!isInteger) return range.low === range.high && (range.lowExcluded || range.highExcluded) ? { ...range, low: 1, high: 0 } : range;
  const low = range.lowExcluded ? Math.floor(range.low) + 1 : Math.ceil(range.low);
  const high = range.highExcluded ? Math.ceil(range.high) - 1 : Math.floor(range.high);
  return { low, high, lowExcluded: false, highExcluded: false };
}

/** Before and after the point together no more than a double keeps, or the fraction would be rounded away. */
const fractionRun = 6;

/** How many digits may follow each other freely. Next to an excluded limit, more than a double tells apart could round up to it. */
function longestRun({ low, high, lowExcluded, highExcluded }: Range): number {
  if (!lowExcluded && !highExcluded) return maxDigits - 1;
  const limits = [low, high].filter((limit) => Number.isFinite(limit)).map(toDecimal);
  return Math.max(1, exactDigits - Math.max(...limits.map(({ whole, fraction }) => whole.length + fraction.length)));
}

/** The range without exponents, one expression for each sign that occurs. */
function signed(make: Expressions, range: Range, isInteger: boolean): Expression[] {
  const digit = make.set(digits);
  const fraction = isInteger ? make.empty : make.or(make.empty, make.then(make.text("."), digit, make.star(digit)));
  const shape = make.then(make.or(make.text("0"), make.then(make.set([49, 57]), make.star(digit))), fraction);
  const between = (low: number, lowExcluded: boolean, high: number, highExcluded: boolean): Expression =>
    make.and(
      shape,
      low <= 0 && !(lowExcluded && low === 0) ? make.all : atLeast(make, toDecimal(low), lowExcluded),
      high === Infinity ? make.all : atMost(make, toDecimal(high), highExcluded),
    );
  const parts: Expression[] = [];
  if (range.high >= 0) parts.push(between(Math.max(range.low, 0), range.lowExcluded && range.low >= 0, range.high, range.highExcluded));
  if (range.low < 0) {
    const negative = between(Math.max(-range.high, 0), range.high >= 0 || range.highExcluded, -range.low, range.lowExcluded);
    parts.push(make.then(make.text("-"), negative));
  }
  return parts;
}

/** 1.5e-7 where everything between 0 and 0.00001 is allowed, 2e+21 where everything from there on is: what JSON writers print for such numbers. */
function exponents(tree: Tree, { low, high }: Range, isInteger: boolean): Node[] {
  const digit = tree.set(digits);
  const leading = tree.set([49, 57]);
  const fraction = tree.optional(tree.sequence(tree.text("."), tree.repeat(digit, 1, maxDigits)));
  const mantissa = tree.sequence(leading, fraction, tree.set([69, 69, 101, 101]));
  const hundreds = tree.sequence(tree.set([49, 50]), digit, digit);
  const tinyPower = tree.choice(
    tree.set([55, 57]),
    tree.sequence(tree.text("0"), tree.set([55, 57])),
    tree.sequence(leading, digit),
    hundreds,
  );
  const hugePower = tree.choice(tree.sequence(tree.text("2"), leading), tree.sequence(tree.set([51, 57]), digit), hundreds);
  const tiny = tree.sequence(mantissa, tree.text("-"), tinyPower);
  const huge = tree.sequence(mantissa, tree.optional(tree.text("+")), hugePower);
  const minus = tree.text("-");
  return [
    ...(!isInteger && low <= 0 && high >= 1e-5 ? [tiny] : []),
    ...(!isInteger && low <= -1e-5 && high >= 0 ? [tree.sequence(minus, tiny)] : []),
    ...(low <= 1e21 && high === Infinity ? [huge] : []),
    ...(low === -Infinity && high >= -1e21 ? [tree.sequence(minus, huge)] : []),
  ];
}

/** Only the multiples of a step, by the remainder of the digits read so far. */
function withStep(automaton: Automaton, step: number | undefined, location: Location): Automaton {
  if (step === undefined) return automaton;
  const { whole: front, fraction } = toDecimal(step);
  const divisor = Number(front + fraction);
  if (divisor * (fraction.length + 2) > maxStates) {
    location.lose("multipleOf", `multiples of ${step} need too many states`);
    return automaton;
  }
  const multiples = multiplesOf(divisor, fraction.length);
  const both = intersectAutomata(automaton, multiples, maxStates);
  if (both === undefined) location.lose("multipleOf", `multiples of ${step} within these bounds need too many states`);
  return both ?? automaton;
}

/** States: the whole part by remainder, then one layer by remainder for each decimal, then zeros only. */
function multiplesOf(divisor: number, decimals: number): Automaton {
  const index = (layer: number, remainder: number): number => layer * divisor + remainder;
  const states = Array.from({ length: (decimals + 2) * divisor }, (_, state) => {
    const layer = Math.floor(state / divisor);
    const remainder = state % divisor;
    const read = Math.max(0, layer - 1);
    const edges: Edge[] = [];
    for (let digit = 0; digit < 10; digit++) {
      if (layer > decimals && digit > 0) break;
      const next = layer > decimals ? remainder : (remainder * 10 + digit) % divisor;
      edges.push({ set: [48 + digit, 48 + digit], to: layer === 0 ? index(0, next) : index(Math.min(layer + 1, decimals + 1), next) });
    }
    if (layer === 0) edges.push({ set: [46, 46], to: index(1, remainder) }, ...(remainder === 0 ? [{ set: [45, 45], to: 0 }] : []));
    return { accepts: (remainder * 10 ** (decimals - read)) % divisor === 0, edges };
  });
  return minimal({ states });
}

/** 5, 5.0 and 5.00 */
function spellings(make: Expressions, value: number): Expression {
  const zeros = make.star(make.text("0"));
  const text = String(value);
  return make.then(make.text(text), text.includes(".") ? zeros : make.or(make.empty, make.then(make.text("."), zeros)));
}

/** The numbers of `not: { enum }`, alone or in an `anyOf`. */
function excludedNumbers(not: unknown): number[] {
  if (!isObject(not)) return [];
  const here = Array.isArray(not["enum"]) ? not["enum"].filter((value): value is number => typeof value === "number") : [];
  const further = Array.isArray(not["anyOf"]) ? not["anyOf"].flatMap(excludedNumbers) : [];
  return [...here, ...further];
}

/** Whether `not: { type: "integer" }` stands there, alone or in an `anyOf`. */
function excludesIntegers(not: unknown): boolean {
  if (!isObject(not)) return false;
  return not["type"] === "integer" || (Array.isArray(not["anyOf"]) && not["anyOf"].some(excludesIntegers));
}

/** 5 and 5.0 */
function integers(make: Expressions): Expression {
  const digit = make.set(digits);
  const zeros = make.then(make.text("."), make.star(make.text("0")));
  return make.then(make.or(make.empty, make.text("-")), digit, make.star(digit), make.or(make.empty, zeros));
}
