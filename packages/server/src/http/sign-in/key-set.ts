import { JsonError, readJson } from "@toolrack/core/internal";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface KeySetOptions {
  /** The published key set, as text. Its end is waited for by everybody who needs it. */
  readonly read: () => Promise<string>;
  /** How old the keys may be: older ones are read again before a token is accepted. @default 5 minutes */
  readonly maxAgeMs?: number | undefined;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** The keys that an issuer signs with. */
export interface KeySet {
  readonly get: JWTVerifyGetKey;
}

/** How long keys are used after they were last read, while the issuer cannot be reached. Then tokens are refused. */
export const keysHoldMs = 3_600_000;

/** Read once now, so that a wrong address is told at the start. */
export async function openKeySet({ read, maxAgeMs = 300_000, now }: KeySetOptions): Promise<KeySet> {
  let keys = toKeys(await read());
  let readAt = now();
  /** No attempt before this: after one that failed, or that a made-up key was asked for. */
  let restsUntil = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  /** One attempt at a time, which all wait for. One that fails leaves the keys as they were. */
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
        // Tokens with made-up keys must not make the server read again and again.
        if (error instanceof errors.JWKSNoMatchingKey) restsUntil = now() + restMs;
        throw error;
      }
    },
  };
}

const restMs = 10_000;

function toKeys(text: string): ReturnType<typeof createLocalJWKSet> {
  try {
    return createLocalJWKSet(readJson(text, 16, "The key set") as JSONWebKeySet);
  } catch (error) {
    throw error instanceof JsonError ? error : new Error("it is not a JSON Web Key Set", { cause: error });
  }
}
