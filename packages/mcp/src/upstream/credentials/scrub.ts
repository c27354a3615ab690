import { createRedactor, type Redactor } from "@toolrack/core/internal";

/** Removes the credentials of a server from its answers: a server that echoes them must not reveal them to a model. */
export interface Scrubber {
  /** From now on these are taken out, too: tokens come and go while a connection lasts. */
  learn(secrets: readonly string[]): void;
  text(text: string): string;
  value(value: unknown): unknown;
  /** The same error, with other messages where it or its causes held a credential. */
  error<Thrown>(thrown: Thrown): Thrown;
}

/** Tokens that were replaced so often ago have expired. */
const maxLearned = 200;
const maxCauses = 8;

export function createScrubber(secrets: readonly string[]): Scrubber {
  const fixed = new Set(secrets);
  const learned = new Set<string>();
  // Made when it is needed: more may be learned before.
  let made: Redactor | undefined;
  const redactor = (): Redactor => (made ??= createRedactor({ secrets: [...fixed, ...learned] }));

  return {
    text: (original) => redactor().text(original),
    value: (original) => redactor().value(original),
    learn(more) {
      const unknown = more.filter((secret) => !fixed.has(secret) && !learned.has(secret));
      if (unknown.length === 0) return;
      for (const secret of unknown) learned.add(secret);
      for (const oldest of learned) {
        if (learned.size <= maxLearned) break;
        learned.delete(oldest);
      }
      made = undefined;
    },
    error(thrown) {
      let error: unknown = thrown;
      for (let depth = 0; depth < maxCauses && error instanceof Error; depth++) {
        const { message, stack, data, cause } = error as Error & { data?: unknown };
        replace(error, "message", message, redactor().text(message));
        if (stack !== undefined) replace(error, "stack", stack, redactor().text(stack));
        if (data !== undefined) replace(error, "data", data, redactor().value(data));
        error = cause;
      }
      return thrown;
    },
  };
}

/** Also where an error has no setter for it, as a `DOMException` has none for its message. */
function replace(error: Error, property: string, before: unknown, after: unknown): void {
  if (after !== before) Reflect.defineProperty(error, property, { value: after, writable: true, configurable: true });
}
