import { compileRegExp, type RegExpProgram } from "../regex/compile.ts";
import type { Machine } from "./machine.ts";
import { RegExpValue } from "./values.ts";
import { sizes } from "./sizes.ts";

const kept = new Map<string, RegExpProgram>();
let keptLength = 0;
/** Of all patterns together: what is kept belongs to no program, and is counted in none. */
const maximumKept = 50_000;
const maximumLength = 20_000;

/** Makes a regular expression, checked. */
export function makeRegExp(m: Machine, source: string, flags: string): RegExpValue {
  m.allocate(sizes.small + 2 * source.length);
  const text = source === "" ? "(?:)" : source;
  programOf(m, text, flags);
  return new RegExpValue(text, [...flags].toSorted().join(""));
}

/** The compiled form of a pattern. */
export function programOf(m: Machine, source: string, flags: string): RegExpProgram {
  const key = `${flags}/${source}`;
  m.charge(key.length >> 6);
  let program = kept.get(key);
  if (program === undefined) {
    m.charge(source.length);
    if (source.length > maximumLength) m.fail("SyntaxError", `A regular expression cannot be longer than ${maximumLength} characters.`);
    if (/[dv]/.test(flags)) m.fail("SyntaxError", "The flags d and v of regular expressions are not supported. Use g, i, m, s, u or y.");
    try {
      program = compileRegExp(source, flags);
    } catch (error) {
      const reason =
        error instanceof RangeError
          ? "it is nested too deeply"
          : (error as Error).message.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, "");
      m.fail("SyntaxError", `Invalid regular expression /${source.slice(0, 100)}/: ${reason}`);
    }
    if (keptLength + key.length > maximumKept) {
      kept.clear();
      keptLength = 0;
    }
    kept.set(key, program);
    keptLength += key.length;
  }
  return program;
}
