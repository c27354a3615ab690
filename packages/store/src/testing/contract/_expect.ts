import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { isEqual, matches, Pattern } from "./_equal.ts";

// The few assertions that the contract needs, so that it runs under any test runner.

export interface Matchers<Outcome> {
  readonly not: Matchers<Outcome>;
  toBe(expected: unknown): Outcome;
  /** Equal in depth; properties that are undefined do not count. */
  toEqual(expected: unknown): Outcome;
  /** Has at least these properties, in depth. */
  toMatchObject(expected: unknown): Outcome;
  toHaveLength(length: number): Outcome;
  toBeUndefined(): Outcome;
  toBeDefined(): Outcome;
  toBeLessThan(limit: number): Outcome;
  toBeLessThanOrEqual(limit: number): Outcome;
  toContain(part: unknown): Outcome;
  toMatch(pattern: RegExp): Outcome;
  /** `path`: "context.size". */
  toHaveProperty(path: string, value?: unknown): Outcome;
  /** For a function that is called; under `rejects`, for the error itself. */
  toThrow(message?: string | RegExp): Outcome;
}

interface Expect {
  (actual: unknown, message?: string): Matchers<void> & { readonly rejects: Matchers<Promise<void>> };
  /** Asks again and again until it holds, for ten seconds at most. */
  poll(actual: () => unknown): Matchers<Promise<void>>;
  any(kind: StringConstructor): unknown;
  stringContaining(part: string): unknown;
  stringMatching(pattern: RegExp): unknown;
  /** Fails where it is reached. */
  unreachable(): never;
}

type Judge = (name: keyof typeof judges, isNegated: boolean, args: readonly unknown[]) => void;

export const expect: Expect = Object.assign(
  (actual: unknown, message?: string) =>
    Object.assign(matchersOver<void>(judgeOf(actual, message)), {
      rejects: matchersOver<Promise<void>>(async (name, isNegated, args) => {
        const error = await Promise.resolve(actual).then(
          () => assert.fail(message ?? "The promise was expected to reject, and did not."),
          (reason: unknown) => reason,
        );
        judgeOf(name === "toThrow" ? throwerOf(error) : error, message)(name, isNegated, args);
      }),
    }),
  {
    poll: (actual: () => unknown) =>
      matchersOver<Promise<void>>(async (name, isNegated, args) => {
        for (const deadline = Date.now() + 10_000; ;) {
          const value = await actual();
          try {
            return judgeOf(value)(name, isNegated, args);
          } catch (error) {
            if (Date.now() > deadline) throw error;
            await sleep(5);
          }
        }
      }),
    any: (_kind: StringConstructor) => new Pattern("any string", (value) => typeof value === "string"),
    stringContaining: (part: string) =>
      new Pattern(`a string with ${inspect(part)}`, (value) => typeof value === "string" && value.includes(part)),
    stringMatching: (pattern: RegExp) => new Pattern(String(pattern), (value) => typeof value === "string" && pattern.test(value)),
    unreachable: () => assert.fail("This was expected not to be reached."),
  },
);

function throwerOf(error: unknown): () => never {
  return () => {
    throw error;
  };
}

const judges = {
  toBe: (actual: unknown, expected: unknown) => Object.is(actual, expected),
  toEqual: isEqual,
  toMatchObject: matches,
  toHaveLength: (actual: unknown, length: unknown) => (actual as { length: number }).length === length,
  toBeUndefined: (actual: unknown) => actual === undefined,
  toBeDefined: (actual: unknown) => actual !== undefined,
  toBeLessThan: (actual: unknown, limit: unknown) => (actual as number) < (limit as number),
  toBeLessThanOrEqual: (actual: unknown, limit: unknown) => (actual as number) <= (limit as number),
  toContain: (actual: unknown, part: unknown) =>
    typeof actual === "string" ? actual.includes(part as string) : [...(actual as Iterable<unknown>)].includes(part),
  toMatch: (actual: unknown, pattern: unknown) => (pattern as RegExp).test(actual as string),
  toHaveProperty(actual: unknown, path: unknown, ...value: readonly unknown[]) {
    let found = actual;
    for (const key of (path as string).split(".")) {
      if (typeof found !== "object" || found === null || !(key in found)) return false;
      found = (found as Record<string, unknown>)[key];
    }
    return value.length === 0 || isEqual(found, value[0]);
  },
  toThrow(actual: unknown, message: unknown) {
    try {
      (actual as () => unknown)();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (message === undefined) return true;
      return message instanceof RegExp ? message.test(text) : text.includes(message as string);
    }
    return false;
  },
};

function judgeOf(actual: unknown, message?: string): Judge {
  return (name, isNegated, args) => {
    const judge: (actual: unknown, ...args: unknown[]) => boolean = judges[name];
    if (judge(actual, ...args) !== isNegated) return;
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const text = `expected ${show(actual)}\n${isNegated ? "not " : ""}${words} ${args.map(show).join(", ")}`;
    assert.fail(message === undefined ? text : `${message}: ${text}`);
  };
}

const show = (value: unknown): string => inspect(value, { depth: 8 });

function matchersOver<Outcome>(judge: (...args: Parameters<Judge>) => unknown): Matchers<Outcome> {
  const make = (isNegated: boolean): Record<string, unknown> =>
    Object.fromEntries(
      (Object.keys(judges) as (keyof typeof judges)[]).map((name) => [name, (...args: unknown[]) => judge(name, isNegated, args)]),
    );
  return { ...make(false), not: make(true) } as unknown as Matchers<Outcome>;
}
