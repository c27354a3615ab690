import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contains } from "../../src/pattern/charset.ts";
import { canRunNatively } from "../../src/pattern/native.ts";
import { parseRegex, type Regex } from "../../src/pattern/parse.ts";
import { patternSource } from "./arbitrary.ts";

describe("canRunNatively", () => {
  it.each([
    "^[a-z0-9_-]+$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(asc|desc)$",
    "^(get|getAll|got)$",
    "^#[0-9a-fA-F]{6}$",
    "^v?\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$",
    "^([0-9a-f]{2}:){5}[0-9a-f]{2}$",
    "^[a-z]+(-[a-z]+)*$",
    "^[A-Z]{2}(?!00|01|99)\\d{2}[A-Z0-9]{11,30}$",
    "^.{1,50000}$",
    "^x-|^y-",
    "foo|ba[rz]",
    "\\S",
    "\\d+",
    ".*",
    "",
    "[a-z]{3}$",
  ])("proves /%s/ harmless", (source) => {
    expect(canRunNatively(parseRegex(source))).toBe(true);
  });

  it.each([
    ["^(a+)+$", "nested loops"],
    ["^(a*)*$", "nested loops that may be empty"],
    ["^(a|a)*$", "two ways for one character"],
    ["^(a|ab)*c$", "two ways for one character"],
    ["^(a?){2000}a$", "a thousand ways"],
    ["^.*a$", "a loop that may stop before every a"],
    ["^\\s*(\\s+x)?$", "two loops over one character"],
    ["^(?:a{1,3}){1,3}b$|^(?:a*)+$", "one harmful option"],
    ["a+$", "a loop from every start"],
    ["[a-z]+@", "a loop from every start"],
    ["(a+b)*", "a loop inside what may be left out at the end"],
    ["^x|a+$", "an option that is not anchored"],
    ["^(?=.*a)b*$", "a lookahead that reads on"],
    ["a\\B", "an assertion that V8 tries inside a surrogate pair"],
    ["^((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}|a)*$", "too many places"],
  ])("does not vouch for /%s/: %s", (source) => {
    expect(canRunNatively(parseRegex(source))).toBe(false);
  });

  it("never vouches for a pattern on which a backtracking engine takes more than linearly many steps", () => {
    const unit = fc.string({ unit: fc.constantFrom(..."aabc-1. "), minLength: 1, maxLength: 4 });
    let vouched = 0;
    const property = fc.property(patternSource({ lookaround: true }), unit, unit, (source, repeated, tail) => {
      const regex = parseRegex(source);
      if (!canRunNatively(regex)) return;
      vouched++;
      const text = repeated.repeat(300) + tail;
      expect(countSteps(regex, text, 300 * (text.length + 1)), `/${source}/ on ${repeated}`).toBeDefined();
    });
    fc.assert(property, { numRuns: 3_000 });
    expect(vouched).toBeGreaterThan(300);
  });

  it("the counter of that test sees a quadratic and an exponential pattern", () => {
    expect(countSteps(parseRegex("a+$"), `${"a".repeat(900)}b`, 300 * 900)).toBeUndefined();
    expect(countSteps(parseRegex("^(a+)+$"), `${"a".repeat(900)}b`, 300 * 900)).toBeUndefined();
  });
});

/** Plays a backtracking engine, and returns how many steps it took, or `undefined` if it took more than `limit`. */
function countSteps(root: Regex, text: string, limit: number): number | undefined {
  let steps = 0;
  const exceeded = new Error("limit");
  // Continuations would overflow the stack on long texts, so the ways still to be tried are kept in a list.
  type Rest = { readonly regex: Regex; readonly count: number; readonly from: number; readonly next: Rest } | undefined;
  const matches = (regex: Regex, start: number): boolean => {
    const waiting: { rest: Rest; at: number }[] = [{ rest: { regex, count: 0, from: start, next: undefined }, at: start }];
    while (waiting.length > 0) {
      let { rest, at } = waiting.pop()!;
      for (;;) {
        if (++steps > limit) throw exceeded;
        if (rest === undefined) return true;
        const { regex: current, next, count, from } = rest as NonNullable<Rest>;
        if (current.kind === "set") {
          const code = text.codePointAt(at);
          if (code === undefined || !contains(current.set, code)) break;
          at += code > 0xffff ? 2 : 1;
          rest = next;
        } else if (current.kind === "sequence") {
          rest = current.items.reduceRight<Rest>(
            (after, item) => ({ regex: item, count: 0, from: -1, next: after as NonNullable<Rest> }),
            next,
          );
        } else if (current.kind === "choice") {
          for (const option of current.options.slice(1).toReversed())
            waiting.push({ rest: { regex: option, count: 0, from: -1, next }, at });
          rest = { regex: current.options[0]!, count: 0, from: -1, next };
        } else if (current.kind === "repeat") {
          if (count > current.min && at === from) break; // an empty round beyond the required ones
          const again = (): Rest => ({
            regex: current.item,
            count: 0,
            from: -1,
            next: { regex: current, count: count + 1, from: at, next },
          });
          if (count < current.min) rest = again();
          else {
            if (count < current.max) {
              waiting.push({ rest: next, at });
              rest = again();
            } else rest = next;
          }
        } else if (current.kind === "look") {
          if (current.ahead && matches(current.item, at) !== current.wanted) break;
          rest = next; // a lookbehind can only cut ways off: taking it for true counts more steps, not fewer
        } else {
          if (current.at === "start" && at !== 0) break;
          if (current.at === "end" && at !== text.length) break;
          rest = next;
        }
      }
    }
    return false;
  };
  try {
    for (let start = 0; start <= text.length; start++) if (matches(root, start)) break;
    return steps;
  } catch (error) {
    if (error === exceeded) return undefined;
    throw error;
  }
}
