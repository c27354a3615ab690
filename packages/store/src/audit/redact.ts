import { createFieldCheck, createRedactor } from "@toolrack/core/internal";

/** Names of fields with confidential values. Compared without case, dashes and underscores. */
export const hiddenFields: readonly string[] = [
  "password",
  "passwd",
  "secret",
  "clientsecret",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "apikey",
  "authorization",
  "cookie",
  "setcookie",
  "privatekey",
  "credentials",
];

export interface RedactionOptions {
  /** Names beyond the usual ones. */
  readonly fields?: readonly string[];
  /** Values that must not be seen anywhere; called each time. */
  readonly values?: () => Iterable<string>;
}

/** Gives what a log may keep of a value, as plain JSON: hidden fields and known secret values are replaced, to any depth, in keys too. */
export type Redact = (value: unknown) => unknown;

/** Answers how to redact with the secret values that are known now: the same function as long as they stay the same. */
export function createRedaction({ fields = [], values = () => [] }: RedactionOptions = {}): () => Redact {
  const isHidden = createFieldCheck([...hiddenFields, ...fields]);
  let secrets: readonly string[] = [];
  let redact = createRedactor({ isHidden, asJson: true }).value;
  return () => {
    if (!isSame(values(), secrets)) {
      secrets = [...values()];
      redact = createRedactor({ secrets, isHidden, asJson: true }).value;
    }
    return redact;
  };
}

function isSame(values: Iterable<string>, known: readonly string[]): boolean {
  let count = 0;
  for (const value of values) if (value !== known[count++]) return false;
  return count === known.length;
}
