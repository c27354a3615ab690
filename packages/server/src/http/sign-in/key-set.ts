import { JsonError, readJson } from "@toolrack/core/internal";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface KeySetOptions {
  /** Reads the published key set, as text. */
  readonly read: () => Promise<string>;
  /** The maximum age of the keys: older ones are read again before a token is accepted. @default 5 minutes */
  readonly maxAgeMs?: number | undefined;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called when the first read finds the issuer away. @default none */
  readonly onAway?: ((error: Error) => void) | undefined;
}

/** The keys that an issuer signs with. */
export interface KeySet {
  readonly get: JWTVerifyGetKey;
}

/** How long keys are used if the issuer cannot be reached. After that, tokens are refused. */
export const keysHoldMs = 3_600_000;

/** Reads the keys once now, so that a wrong address is reported at the start. If the issuer is away, they are read when tokens come. */
export async function openKeySet({ read, maxAgeMs = 300_000, now, onAway }: KeySetOptions): Promise<KeySet> {
  let keys = createLocalJWKSet({ keys: [] });
  let readAt = Number.NEGATIVE_INFINITY;
  /** No read before this time: after a failed read, or a token with an unknown key. */
  let restsUntil = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  /** One read at a time, shared by all. A failed read keeps the current keys. */
  function readAgain(): Promise<void> {
    return (reading ??= attempt().finally(() => (reading = undefined)));
  }

  async function attempt(): Promise<void> {
    const startedAt = now();
    try {
      keys = toKeys(await read());
      readAt = startedAt;
    } catch {
      restsUntil = now() + restMs;
    }
  }

  try {
    keys = toKeys(await read());
    readAt = now();
  } catch (error) {
    if (!isAway(error)) throw error;
    restsUntil = now() + restMs;
    onAway?.(error);
  }

  const rests = (): boolean => reading === undefined && now() < restsUntil;

  return {
    async get(header, token) {
      if (now() - readAt >= maxAgeMs && !rests()) await readAgain();
      if (now() - readAt >= Math.max(maxAgeMs, keysHoldMs)) throw new errors.JWKSTimeout("The keys are too old.");
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || rests()) throw error;
      }
      await readAgain();
      try {
        return await keys(header, token);
      } catch (error) {
        // Tokens with invented keys must not cause repeated reads.
        if (error instanceof errors.JWKSNoMatchingKey) restsUntil = now() + restMs;
        throw error;
      }
    },
  };
}

const restMs = 10_000;

/** Errors of the network, and of an issuer that answers with 5xx, say that the same may work later. */
function isAway(error: unknown): error is Error {
  return error instanceof Error && "retryable" in error && error.retryable === true;
}

function toKeys(text: string): ReturnType<typeof createLocalJWKSet> {
  try {
    return createLocalJWKSet(readJson(text, 16, "The key set") as JSONWebKeySet);
  } catch (error) {
    throw error instanceof JsonError ? error : new Error("it is not a JSON Web Key Set", { cause: error });
  }
}
