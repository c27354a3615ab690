import type * as onNode from "../on-node/assert.ts";

/** The same as `on-node/assert.ts`, as far as `testing/` uses it. */
export class AssertionError extends Error {
  override readonly name: string = "AssertionError";
  readonly code: string = "ERR_ASSERTION";

  constructor({ message }: { readonly message: string }) {
    super(message);
  }
}

type Used = "deepEqual" | "doesNotMatch" | "equal" | "fail" | "match" | "notDeepEqual" | "notEqual" | "ok";

export const assert: Pick<typeof onNode.assert, Used> = {
  ok: (value: unknown, message?: string | Error) => hold(Boolean(value), message, () => `${show(value)} is not true`),
  equal: (actual: unknown, expected: unknown, message?: string | Error) =>
    hold(Object.is(actual, expected), message, () => `${show(actual)} is not ${show(expected)}`),
  notEqual: (actual: unknown, expected: unknown, message?: string | Error) =>
    hold(!Object.is(actual, expected), message, () => `${show(actual)} is what it must not be`),
  deepEqual: (actual: unknown, expected: unknown, message?: string | Error) =>
    hold(isDeepEqual(actual, expected), message, () => `${show(actual)} does not equal ${show(expected)}`),
  notDeepEqual: (actual: unknown, expected: unknown, message?: string | Error) =>
    hold(!isDeepEqual(actual, expected), message, () => `${show(actual)} equals what it must not equal`),
  match: (text: string, pattern: RegExp, message?: string | Error) =>
    hold(pattern.test(text), message, () => `${show(text)} does not match ${pattern}`),
  doesNotMatch: (text: string, pattern: RegExp, message?: string | Error) =>
    hold(!pattern.test(text), message, () => `${show(text)} matches ${pattern}`),
  fail: (message?: unknown) => {
    throw message instanceof Error ? message : new AssertionError({ message: String(message ?? "Failed") });
  },
};

function hold(holds: boolean, message: string | Error | undefined, otherwise: () => string): void {
  if (holds) return;
  throw message instanceof Error ? message : new AssertionError({ message: message ?? `${otherwise()}.` });
}

/** Plain data by its parts, all else by identity. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other) || !isPlain(one)) return false;
  const [keys, otherKeys] = [Object.keys(one), Object.keys(other)];
  const same = (key: string): boolean =>
    Object.hasOwn(other, key) && isDeepEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]);
  return keys.length === otherKeys.length && keys.every(same);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function show(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
