/** Stands for every value that it accepts. */
export class Pattern {
  /** For messages. */
  readonly accepted: string;
  readonly accepts: (value: unknown) => boolean;

  constructor(accepted: string, accepts: (value: unknown) => boolean) {
    this.accepted = accepted;
    this.accepts = accepts;
  }
}

/** Equal in depth; properties that are undefined do not count. */
export function isEqual(actual: unknown, expected: unknown): boolean {
  return compare(actual, expected, true);
}

/** Has at least what is expected, in depth; arrays have the same length. */
export function matches(actual: unknown, expected: unknown): boolean {
  return compare(actual, expected, false);
}

function compare(actual: unknown, expected: unknown, isWhole: boolean): boolean {
  if (expected instanceof Pattern) return expected.accepts(actual);
  if (Object.is(actual, expected)) return true;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) return false;
  if (Array.isArray(expected) || Array.isArray(actual)) {
    if (!Array.isArray(expected) || !Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((value, index) => compare(actual[index], value, isWhole));
  }
  if (isCollection(expected) || isCollection(actual))
    return isCollection(expected) && isCollection(actual) && compare([...actual], [...expected], isWhole);
  const [a, b] = [actual as Record<string, unknown>, expected as Record<string, unknown>];
  const keys = new Set([...Object.keys(b), ...(isWhole ? Object.keys(a) : [])]);
  return [...keys].every((key) => compare(a[key], b[key], isWhole));
}

function isCollection(value: object): value is Iterable<unknown> {
  return value instanceof Map || value instanceof Set || value instanceof Uint8Array;
}
