/**
 * Remembers what was used. Servers that answer for each other share one.
 * Contract: for one id, `claim` is true exactly once until `expiresAt` (milliseconds since 1970).
 */
export interface OnceLedger {
  claim(id: string, expiresAt: number): boolean | Promise<boolean>;
}

/** In memory. What has expired is forgotten; when too much is remembered, nothing further is accepted. */
export function createOnceLedger(maxEntries = 100_000): OnceLedger {
  const used = new Map<string, number>();
  return {
    claim(id, expiresAt) {
      if (used.has(id)) return false;
      if (used.size >= maxEntries) forgetExpired(used);
      if (used.size >= maxEntries) return false;
      used.set(id, expiresAt);
      return true;
    },
  };
}

function forgetExpired(used: Map<string, number>): void {
  const now = Date.now();
  for (const [id, expiresAt] of used) if (expiresAt <= now) used.delete(id);
}
