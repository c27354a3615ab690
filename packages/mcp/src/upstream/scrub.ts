/** Takes the credentials of a server out of what it answers: a server that repeats them must not tell them to a model. */
export interface Scrubber {
  text(text: string): string;
  value(value: unknown): unknown;
  /** The same error, with another message where it held a credential. */
  error<Thrown>(thrown: Thrown): Thrown;
}

const mark = "[redacted]";
/** A very short value would be found everywhere. */
const minLength = 6;

export function createScrubber(secrets: readonly string[]): Scrubber {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= minLength).sort((a, b) => b.length - a.length);
  if (known.length === 0) return { text: (text) => text, value: (value) => value, error: (thrown) => thrown };
  const text = (original: string): string => known.reduce((shown, secret) => shown.replaceAll(secret, mark), original);
  const value = (original: unknown): unknown => {
    if (typeof original === "string") return text(original);
    if (Array.isArray(original)) return original.map(value);
    if (typeof original !== "object" || original === null) return original;
    return Object.fromEntries(Object.entries(original).map(([key, inner]) => [text(key), value(inner)]));
  };
  return {
    text,
    value,
    error(thrown) {
      if (thrown instanceof Error) thrown.message = text(thrown.message);
      return thrown;
    },
  };
}
