import type { Logger } from "@toolrack/core";

/**
 * Logs why tokens are refused, since the caller does not learn it. Each reason is logged at most once a minute, with its count, so that
 * nobody can fill the log. Reasons are a few fixed texts without anything of a token.
 */
export function createRefusalLog(log: Pick<Logger, "warn">, now: () => number = () => performance.now()): (reason: string) => void {
  const told = new Map<string, { at: number; since: number }>();
  return (reason) => {
    const last = told.get(reason);
    if (last !== undefined && now() - last.at < pauseMs) {
      last.since += 1;
      return;
    }
    told.set(reason, { at: now(), since: 0 });
    log.warn("A token was refused.", { reason, ...(last !== undefined && last.since > 0 && { sinceLastLine: last.since }) });
  };
}

const pauseMs = 60_000;
