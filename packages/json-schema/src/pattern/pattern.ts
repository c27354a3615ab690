import { createMachine } from "./machine.ts";
import { canRunNatively } from "./native.ts";
import { checkPatternText, refusePattern } from "./check-text.ts";
import { parseRegex, someRegex } from "./parse.ts";
import { compileForRe2, maxRe2Count } from "./re2.ts";
import { sizeOf } from "./size.ts";

/** A compiled `pattern` or key of `patternProperties`. Contract: `test` needs time linear in the text, whatever the pattern. */
export interface Pattern {
  /** Whether the pattern is found anywhere in the text. */
  test(text: string): boolean;
}

/**
 * Compiles a regular expression of ECMA-262 with the meaning of flag `u`. Patterns that are provably harmless run on the
 * engine of JavaScript, those with lookaround on a machine of our own, all others on RE2, or on that machine where RE2 cannot be loaded.
 * Throws SCHEMA_INVALID for a text that is no regular expression, for backreferences, and for patterns that are too large. An engine is loaded
 * at the first test.
 */
export function compilePattern(source: string): Pattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const pattern = compile(source);
  if (patterns.size >= maxPatterns) patterns.delete(patterns.keys().next().value!);
  patterns.set(source, pattern);
  return pattern;
}

const patterns = new Map<string, Pattern>();
const maxPatterns = 500;
const maxMachineSteps = 1_000;
const maxRe2Steps = 2_000;

function compile(source: string): Pattern {
  const strict = checkPatternText(source);
  const regex = parseRegex(source);
  if (strict !== undefined && canRunNatively(regex)) return { test: (text) => testNative(strict, text) };
  const looks = someRegex(regex, (part) => part.kind === "look");
  const { steps, copies } = sizeOf(regex);
  if (steps > (looks ? maxMachineSteps : maxRe2Steps) || (!looks && copies > maxRe2Count)) {
    refusePattern(source, "its counted repeats are too large", "Use minLength and maxLength for the length of a text.");
  }
  return whenFirstTested(() => (looks ? undefined : compileForRe2(regex)) ?? createMachine(regex));
}

function whenFirstTested(create: () => Pattern): Pattern {
  let pattern: Pattern | undefined;
  return {
    test(text) {
      pattern ??= create();
      return pattern.test(text);
    },
  };
}

/** A text of ten million characters can exhaust the engine's stack: then it does not match. */
function testNative(expression: RegExp, text: string): boolean {
  try {
    return expression.test(text);
  } catch {
    return false;
  }
}
