import type { Logger } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { Breadcrumb } from "@toolrack/store";
import type { Records } from "../store/records.ts";

/**
 * Reports each key when it expires. One timer, for the key that expires next, which keeps no process alive. Returns a function that stops it.
 */
export function watchExpiry(
  keys: Pick<Records, "values" | "subscribe">,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  onExpired: (key: Breadcrumb) => void,
): () => void {
  let lookedAt = clock.now();
  let nextAt = Number.POSITIVE_INFINITY;
  let cancelTimer: ReturnType<Clock["after"]> | undefined;

  function watch(key: Breadcrumb): void {
    // The clock may have been set back since.
    lookedAt = Math.min(lookedAt, clock.now());
    const at = expiryOf(key);
    if (at <= lookedAt || at >= nextAt) return;
    cancelTimer?.();
    nextAt = at;
    cancelTimer = clock.after(Math.min(Math.max(at - clock.now(), 0), mostMs), look);
    cancelTimer.release?.();
  }

  function look(): void {
    const before = lookedAt;
    lookedAt = clock.now();
    nextAt = Number.POSITIVE_INFINITY;
    const expired = [...keys.values()].filter((key) => expiryOf(key) > before && expiryOf(key) <= lookedAt);
    for (const key of keys.values()) watch(key);
    for (const key of expired) {
      try {
        onExpired(key);
      } catch (error) {
        log.error("Something did not hear that a key expired.", { key: key.id, error: String(error) });
      }
    }
  }

  for (const key of keys.values()) watch(key);
  const stop = keys.subscribe((_id, key) => key !== undefined && watch(key));
  return () => {
    stop();
    cancelTimer?.();
  };
}

/** A timer does not notice that the clock was set forward, or that the machine slept. */
const mostMs = 60_000;

/** When a key expires that was not revoked before. */
function expiryOf({ context: { hash, expiresAt } }: Breadcrumb): number {
  return hash !== undefined && typeof expiresAt === "number" ? expiresAt : Number.POSITIVE_INFINITY;
}
