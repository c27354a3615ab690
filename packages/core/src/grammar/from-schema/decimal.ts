import type { CharSet } from "@toolrack/json-schema/internal";
import type { Expression, Expressions } from "../automaton/expression.ts";

/** The digits of a number that is not negative: 12.50 → { whole: "12", fraction: "5" }. */
export interface Decimal {
  readonly whole: string;
  readonly fraction: string;
}

/** Exact for the decimal notation that JavaScript prints, exponents included: 1e-7 → { whole: "0", fraction: "0000001" }. */
export function toDecimal(value: number): Decimal {
  const [digits, exponent] = Math.abs(value).toString().split("e") as [string, string | undefined];
  const [whole, fraction = ""] = digits.split(".") as [string, string | undefined];
  const shift = Number(exponent ?? 0);
  const all = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? "0".repeat(1 - point) + all : all.padEnd(point, "0");
  const at = Math.max(point, 1);
  return { whole: padded.slice(0, at).replace(/^0+(?=\d)/, ""), fraction: padded.slice(at).replace(/0+$/, "") };
}

/**
 * The texts of numbers on one side of a limit, signs left out: at least it, at most it, or beyond it if `exclusive`.
 * Contract: meant to be met with a shape that allows no leading zeros and bounds the digits.
 */
export function atLeast(make: Expressions, { whole, fraction }: Decimal, exclusive: boolean): Expression {
  const digit = make.set(digits);
  const more = make.star(digit);
  const tail = make.or(make.empty, make.then(make.text("."), digit, more));
  const options = [make.then(make.repeat(digit, whole.length + 1, whole.length + 1), more, tail)];
  options.push(...differences(make, whole, above).map((part) => make.then(part, tail)));
  const point = make.then(make.text(whole), make.text("."));
  options.push(...differences(make, fraction, above, false).map((part) => make.then(point, part, more)));
  const beyond = make.then(more, make.set(above("0")), more);
  options.push(make.then(point, make.text(fraction), exclusive ? beyond : more));
  if (fraction === "" && !exclusive) options.push(make.text(whole));
  return make.or(...options);
}

export function atMost(make: Expressions, { whole, fraction }: Decimal, exclusive: boolean): Expression {
  const digit = make.set(digits);
  const more = make.star(digit);
  const tail = make.or(make.empty, make.then(make.text("."), digit, more));
  const options = whole.length > 1 ? [make.then(make.repeat(digit, 1, whole.length - 1), tail)] : [];
  options.push(...differences(make, whole, below).map((part) => make.then(part, tail)));
  const point = make.then(make.text(whole), make.text("."));
  options.push(...differences(make, fraction, below, false).map((part) => make.then(point, part, more)));
  // Where the fraction goes on, a text that stops earlier is below the limit.
  for (let length = 0; length < fraction.length; length++)
    options.push(length === 0 ? make.text(whole) : make.then(point, make.text(fraction.slice(0, length))));
  if (!exclusive) {
    const zeros = make.star(make.set([48, 48]));
    options.push(fraction === "" ? make.text(whole) : make.none, make.then(point, make.text(fraction), zeros));
  }
  return make.or(...options);
}

export const digits: CharSet = [48, 57];

const above = (digit: string): CharSet => (digit === "9" ? [] : [digit.charCodeAt(0) + 1, 57]);
const below = (digit: string): CharSet => (digit === "0" ? [] : [48, digit.charCodeAt(0) - 1]);

/** Texts that agree with `number` up to one digit and differ there; `padded` ones have its length. */
function differences(make: Expressions, number: string, other: (digit: string) => CharSet, padded = true): Expression[] {
  return Array.from(number, (digit, index) => {
    const left = number.length - index - 1;
    return make.then(
      make.text(number.slice(0, index)),
      make.set(other(digit)),
      padded ? make.repeat(make.set(digits), left, left) : make.empty,
    );
  });
}
