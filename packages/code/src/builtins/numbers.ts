import { toInteger, toNumber, toText } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import type { Value } from "../machine/values.ts";
import { contextOf, native, passThrough, text, type Library } from "./define.ts";

function numberOf(m: Machine, self: Value): number {
  if (typeof self !== "number") m.fail("TypeError", "This method needs a number. Convert the value first: Number(value).");
  return self;
}

/** The number of digits of a format: outside of the range it is an error of the program. */
function digits(m: Machine, value: Value, from: number, to: number, name: string): number {
  const count = toInteger(m, value);
  if (count < from || count > to) m.fail("RangeError", `${name}() takes from ${from} to ${to} digits.`);
  return count;
}

/** Only the fixed form: en-US, without options. */
export function refuseLocale(m: Machine, args: readonly Value[], way: string): void {
  if (args[1] !== undefined || (args[0] !== undefined && args[0] !== "en-US" && args[0] !== "en")) {
    m.fail("TypeError", `Locales and their options are not supported; the form is always that of en-US. ${way}`);
  }
}

export const numberLibrary: Library = {
  functions: [
    {
      name: "Number",
      length: 1,
      call: (m, _self, args) => (args.length === 0 ? 0 : toNumber(m, args[0])),
      construct: (m) => m.fail("TypeError", "new Number() is not supported. Write Number(value)."),
    },
    {
      name: "Boolean",
      length: 1,
      call: (_m, _self, [value]) => Boolean(value),
      construct: (m) => m.fail("TypeError", "new Boolean() is not supported. Write Boolean(value)."),
    },
    native("Number.isFinite", 1, (_m, _self, [value]) => Number.isFinite(value)),
    native("Number.isInteger", 1, (_m, _self, [value]) => Number.isInteger(value)),
    native("Number.isNaN", 1, (_m, _self, [value]) => Number.isNaN(value)),
    native("Number.isSafeInteger", 1, (_m, _self, [value]) => Number.isSafeInteger(value)),
    native("isNaN", 1, (m, _self, [value]) => Number.isNaN(toNumber(m, value))),
    native("isFinite", 1, (m, _self, [value]) => Number.isFinite(toNumber(m, value))),
    native("parseInt", 2, (m, _self, [value, radix]) => Number.parseInt(passThrough(m, toText(m, value)), toNumber(m, radix))),
    native("parseFloat", 1, (m, _self, [value]) => Number.parseFloat(passThrough(m, toText(m, value)))),
    native("Number.prototype.toFixed", 1, (m, self, [count]) => text(m, numberOf(m, self).toFixed(digits(m, count, 0, 100, "toFixed")))),
    native("Number.prototype.toPrecision", 1, (m, self, [count]) => {
      const number = numberOf(m, self);
      if (count === undefined || !Number.isFinite(number)) return text(m, String(number));
      return text(m, number.toPrecision(digits(m, count, 1, 100, "toPrecision")));
    }),
    native("Number.prototype.toExponential", 1, (m, self, [count]) => {
      const number = numberOf(m, self);
      const wanted = count === undefined ? undefined : toInteger(m, count);
      if (!Number.isFinite(number)) return text(m, String(number));
      return text(m, number.toExponential(wanted === undefined ? undefined : digits(m, count, 0, 100, "toExponential")));
    }),
    native("Number.prototype.toString", 1, (m, self, [radix]) => {
      const number = numberOf(m, self);
      return text(m, radix === undefined ? String(number) : number.toString(digits(m, radix, 2, 36, "toString")));
    }),
    native("Number.prototype.toLocaleString", 0, (m, self, args) => {
      refuseLocale(m, args, "Use toFixed for decimals.");
      return text(m, numberOf(m, self).toLocaleString("en-US"));
    }),
    native("Number.prototype.valueOf", 0, (m, self) => numberOf(m, self)),
    native("Boolean.prototype.toString", 0, (_m, self) => String(self)),
    native("Boolean.prototype.valueOf", 0, (_m, self) => self),
  ],
  constants: {
    "Number.EPSILON": Number.EPSILON,
    "Number.MAX_SAFE_INTEGER": Number.MAX_SAFE_INTEGER,
    "Number.MIN_SAFE_INTEGER": Number.MIN_SAFE_INTEGER,
    "Number.MAX_VALUE": Number.MAX_VALUE,
    "Number.MIN_VALUE": Number.MIN_VALUE,
    "Number.NaN": Number.NaN,
    "Number.POSITIVE_INFINITY": Infinity,
    "Number.NEGATIVE_INFINITY": -Infinity,
  },
};

type NumberFunction = (...values: number[]) => number;

const ofNumbers: Readonly<Record<string, NumberFunction>> = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atan2: Math.atan2,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  clz32: Math.clz32,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  expm1: Math.expm1,
  floor: Math.floor,
  fround: Math.fround,
  imul: Math.imul,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  pow: Math.pow,
  round: Math.round,
  sign: Math.sign,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  trunc: Math.trunc,
};

/** max, min and hypot without a call of the host that has a million arguments. */
const ofMany: Readonly<Record<string, (values: readonly number[]) => number>> = {
  max: (values) => values.reduce((a, b) => Math.max(a, b), -Infinity),
  min: (values) => values.reduce((a, b) => Math.min(a, b), Infinity),
  hypot: (values) => (values.length <= 1000 ? Math.hypot(...values) : Math.sqrt(values.reduce((a, b) => a + b * b, 0))),
};

export const mathLibrary: Library = {
  functions: [
    ...Object.entries(ofNumbers).map(([name, run]) =>
      native(`Math.${name}`, run.length, (m, _self, args) => {
        const first = toNumber(m, args[0]);
        return run.length < 2 ? run(first) : run(first, toNumber(m, args[1]));
      }),
    ),
    ...Object.entries(ofMany).map(([name, run]) =>
      native(`Math.${name}`, 2, (m, _self, args) => {
        m.charge(args.length);
        return run(args.map((value) => toNumber(m, value)));
      }),
    ),
    native("Math.random", 0, (m) => {
      // Mulberry32: the state is one number, which is stored with the program. Each context has numbers of its own, so that those of others tell
      // nothing of how many were drawn in it.
      const context = contextOf(m);
      const seed = ((m.seeds.get(context) ?? m.seed ^ Math.imul(context, 0x9e3779b1)) + 0x6d2b79f5) | 0;
      m.seeds.set(context, seed);
      m.touched |= context;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }),
  ],
  constants: {
    "Math.E": Math.E,
    "Math.LN10": Math.LN10,
    "Math.LN2": Math.LN2,
    "Math.LOG10E": Math.LOG10E,
    "Math.LOG2E": Math.LOG2E,
    "Math.PI": Math.PI,
    "Math.SQRT1_2": Math.SQRT1_2,
    "Math.SQRT2": Math.SQRT2,
  },
};
