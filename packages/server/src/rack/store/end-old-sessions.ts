import { type BreadcrumbStore, createSessionStore, type Session, type SessionStore } from "@toolrack/store";

/**
 * Ends sessions of agents that did not change since a time, and removes those that ended before it, with their messages. What runs, or waits for a
 * person, is left alone. Returns how many.
 */
export async function endOldSessions(store: BreadcrumbStore, before: number, signal: AbortSignal): Promise<number> {
  const sessions = createSessionStore(store);
  const idle = await collect(sessions, "idle", ({ updatedAt, inbox }) => updatedAt < before && inbox === 0, signal);
  const ended = await collect(sessions, "ended", ({ endedAt = Infinity }) => endedAt < before, signal);
  let count = 0;
  for (const { id } of idle) if (!signal.aborted && (await end(sessions, id, before))) count++;
  for (const { id } of ended) if (!signal.aborted && (await sessions.remove(id))) count++;
  return count;
}

/** Read whole before anything changes: a change would move the pages. */
async function collect(
  sessions: SessionStore,
  status: Session["status"],
  isOld: (session: Session) => boolean,
  signal: AbortSignal,
): Promise<readonly Session[]> {
  const old: Session[] = [];
  for (let offset = 0; !signal.aborted; offset += pageSize) {
    const page = await sessions.list({ status, limit: pageSize, offset });
    old.push(...page.filter(isOld));
    if (page.length < pageSize) break;
  }
  return old;
}

/** Not one that somebody began to use meanwhile. */
async function end(sessions: SessionStore, id: string, before: number): Promise<boolean> {
  const lease = await sessions.acquire(id, "retention", leaseMs);
  if (lease === undefined) return false;
  const session = await sessions.get(id);
  const isOld = session !== undefined && session.status === "idle" && session.inbox === 0 && session.updatedAt < before;
  if (isOld) await sessions.end(id, { text: "Nobody used the session for a long time.", status: "expired", toParent: false }, lease);
  else await sessions.release(lease);
  return isOld;
}

const pageSize = 200;
const leaseMs = 5_000;
