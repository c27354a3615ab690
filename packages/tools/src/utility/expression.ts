/** A mistake in an expression: where it is, counted from 1, and what is wrong there. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}

/** The value of an expression of numbers: + - * / % ^, parentheses, functions and the constants pi and e. Nothing else is ever run. */
export function evaluateExpression(text: string): number {
  const parser = new Parser(text);
  const value = parser.sum();
  parser.end();
  return value;
}

const maxDepth = 100;

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#takes("+")) value = this.#checked(value + this.#product());
      else if (this.#takes("-") || this.#takes("−")) value = this.#checked(value - this.#product());
      else return value;
    }
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault(`${this.#here()} does not belong there`);
  }

  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#takes("*") || this.#takes("×")) value = this.#checked(value * this.#signed());
      else if (this.#takes("/") || this.#takes("÷")) value = this.#checked(value / this.#divisor());
      else if (this.#takes("%")) value = this.#checked(value % this.#divisor());
      else return value;
    }
  }

  #divisor(): number {
    const divisor = this.#signed();
    if (divisor === 0) throw this.#fault("a division by zero");
    return divisor;
  }

  /** "-2^2" is -4: a power binds tighter than a sign in front of it. */
  #signed(): number {
    let sign = 1;
    for (;;) {
      if (this.#takes("-") || this.#takes("−")) sign = -sign;
      else if (!this.#takes("+")) return sign * this.#power();
    }
  }

  /** "2^3^2" is 2^9: powers are read from the right. */
  #power(): number {
    const base = this.#atom();
    if (!this.#takes("^") && !this.#takes("**")) return base;
    return this.#nested(() => this.#checked(base ** this.#signed()));
  }

  #atom(): number {
    if (this.#takes("(")) return this.#nested(() => this.#closed(this.sum()));
    this.#skip();
    const [number] = /^(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(this.#text.slice(this.#at, this.#at + 400)) ?? [];
    if (number !== undefined) {
      this.#at += number.length;
      return this.#checked(Number(number.replaceAll("_", "")));
    }
    const [name] = /^[A-Za-z][A-Za-z0-9]*/.exec(this.#text.slice(this.#at, this.#at + 40)) ?? [];
    if (name === undefined) throw this.#fault(`a number is missing before ${this.#here()}`);
    return this.#named(name);
  }

  #named(name: string): number {
    const known = name.toLowerCase();
    const constant = constants.get(known);
    if (constant !== undefined) {
      this.#at += name.length;
      return constant;
    }
    const entry = functions.get(known);
    if (entry === undefined)
      throw this.#fault(`"${name}" is not known. Known are ${[...functions.keys(), ...constants.keys()].join(", ")}`);
    this.#at += name.length;
    if (!this.#takes("(")) throw this.#fault(`"${name}" needs its numbers in parentheses`);
    const values = this.#nested(() => {
      const given = [this.sum()];
      while (this.#takes(",")) given.push(this.sum());
      this.#closed(0);
      return given;
    });
    const [least, most, apply] = entry;
    if (values.length < least || values.length > most)
      throw this.#fault(`"${name}" takes ${least === most ? least : `${least} or more`} numbers, not ${values.length}`);
    return this.#checked(apply(...values));
  }

  #closed(value: number): number {
    if (this.#takes(")")) return value;
    throw this.#fault(`a ")" is missing before ${this.#here()}`);
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > maxDepth) throw this.#fault(`more than ${maxDepth} levels of nesting`);
    const value = read();
    this.#depth--;
    return value;
  }

  #checked(value: number): number {
    if (Number.isNaN(value)) throw this.#fault("the result is not a real number");
    if (!Number.isFinite(value)) throw this.#fault("the result is too large");
    return value;
  }

  #takes(sign: string): boolean {
    this.#skip();
    if (!this.#text.startsWith(sign, this.#at) || (sign === "*" && this.#text.startsWith("**", this.#at))) return false;
    this.#at += sign.length;
    return true;
  }

  #skip(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at]!)) this.#at++;
  }

  #here(): string {
    return this.#at < this.#text.length ? `"${String.fromCodePoint(this.#text.codePointAt(this.#at)!)}"` : "the end";
  }

  #fault(what: string): ExpressionError {
    return new ExpressionError(`at position ${this.#at + 1}: ${what}`);
  }
}

const constants: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

type Numeric = (...values: number[]) => number;

/** Name → the least and the greatest number of values, and what is done with them. Angles are in radians. */
const functions: ReadonlyMap<string, readonly [least: number, most: number, apply: Numeric]> = new Map<
  string,
  readonly [number, number, Numeric]
>([
  ...(["abs", "ceil", "floor", "sqrt", "cbrt", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "sign", "trunc"] as const).map(
    (name) => [name, [1, 1, (value: number) => Math[name](value)]] as const,
  ),
  ["ln", [1, 1, (value: number) => Math.log(value)]],
  ["log", [1, 1, (value: number) => Math.log10(value)]],
  ["log2", [1, 1, (value: number) => Math.log2(value)]],
  ["round", [1, 2, (value: number, digits = 0) => roundTo(value, digits)]],
  ["pow", [2, 2, (base: number, exponent: number) => base ** exponent]],
  ["min", [1, 100, Math.min]],
  ["max", [1, 100, Math.max]],
]);

/** 2.345 to 2 digits → 2.35; the detour over text avoids 2.34499…. */
function roundTo(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15) return Number.NaN;
  const moved = Number(`${value}e${digits}`);
  return Number.isNaN(moved) ? value : Number(`${Math.round(moved)}e-${digits}`);
}
