import { createRedactor } from "@toolrack/core/internal";

/** Takes the credentials of a server out of what it answers: a server that repeats them must not tell them to a model. */
export interface Scrubber {
  text(text: string): string;
  value(value: unknown): unknown;
  /** The same error, with another message where it held a credential. */
  error<Thrown>(thrown: Thrown): Thrown;
}

export function createScrubber(secrets: readonly string[]): Scrubber {
  const { text, value } = createRedactor({ secrets });
  return {
    text,
    value,
    error(thrown) {
      if (thrown instanceof Error) thrown.message = text(thrown.message);
      return thrown;
    },
  };
}
