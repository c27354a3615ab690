import type { Engine, Writes } from "../engine/engine.ts";
import { isStorable, readText, readTtl } from "./_read.ts";
import { holds, requireWritable, unknown } from "./_refuse.ts";
import type { SessionLease, SessionStore } from "./session-store.ts";

/** The lease is part of the session's row, and its time that of the database. */
export function createSessionLeases(engine: Engine, owner: string): Pick<SessionStore, "acquire" | "renew" | "release"> {
  /** False, without running it, where the lease is lost. */
  async function whileHeld(lease: SessionLease, work: (tx: Writes, now: number) => Promise<void>): Promise<boolean> {
    if (!isStorable(lease.session)) return false;
    return engine.writeAudit(async (tx) => {
      const locked = await tx.lockSession(owner, lease.session);
      if (locked === undefined || !holds(locked.row, lease)) return false;
      await work(tx, locked.now);
      return true;
    });
  }

  return {
    async acquire(session, holder, ttlMs) {
      readText("holder", holder);
      const ttl = readTtl(ttlMs);
      if (!isStorable(session)) throw unknown(session);
      return engine.writeAudit(async (tx) => {
        const locked = await tx.lockSession(owner, session);
        if (locked === undefined) throw unknown(session);
        const { row, now } = locked;
        requireWritable(row, undefined);
        if (row.holder !== "" && row.holder !== holder && row.leaseEndsAt > now) return undefined;
        const fence = row.fence + 1;
        await tx.changeSession(owner, session, { holder, fence, leaseEndsAt: now + ttl });
        return { session, holder, fence };
      });
    },
    async renew(lease, ttlMs) {
      const ttl = readTtl(ttlMs);
      return whileHeld(lease, (tx, now) => tx.changeSession(owner, lease.session, { leaseEndsAt: now + ttl }));
    },
    async release(lease) {
      await whileHeld(lease, (tx) => tx.changeSession(owner, lease.session, { holder: "", leaseEndsAt: 0 }));
    },
  };
}
