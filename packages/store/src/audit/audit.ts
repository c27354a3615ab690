import { demandRole } from "../access/actor.ts";
import { type AuditEnd, type AuditFilter, type AuditRow, mainChain } from "../engines/_audit.ts";
import { appendEntries, type AuditEntry } from "../engines/_chain.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { prunedKind } from "./verify.ts";

/** A line of the audit, as it is read. */
export interface AuditLine extends Omit<AuditRow, "body" | "previous" | "ok" | "owner" | "chain"> {
  readonly ok: boolean | null;
  readonly body: unknown;
}

export type AuditQuery = Omit<AuditFilter, "owner"> & {
  /** Only lines below this number. */
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
};

/** What happened; when, and to whom it belongs, is added. */
export interface AuditNote extends Omit<AuditEntry, "at" | "owner" | "agent" | "body"> {
  /** Who did it. @default the store's actor */
  readonly agent?: string;
  /** Kept as it is: leave out what nobody should read. */
  readonly body: unknown;
}

/** Adds lines in a transaction of their own, or in the one that the store is part of. */
export async function addToAudit(store: BreadcrumbStore, entries: readonly AuditNote[]): Promise<void> {
  const { engine, unit, clock, auditKeys } = insideOf(store);
  const { owner, agent, principal } = store.actor;
  const whole = entries.map(({ body, ...entry }) => ({
    agent,
    principal,
    ...entry,
    owner,
    at: clock.now(),
    body: JSON.stringify(body) ?? "null",
  }));
  if (unit !== undefined) await appendEntries(unit.tx, whole, auditKeys.current);
  else await engine.writeAudit((tx) => appendEntries(tx, whole, auditKeys.current));
}

/** The lines of the store's owner, the newest first. */
export async function listAudit(
  store: BreadcrumbStore,
  { before = Number.MAX_SAFE_INTEGER, limit = 100, ...filter }: AuditQuery = {},
): Promise<readonly AuditLine[]> {
  demandRole(store.actor, "curator", "read the audit");
  const rows = await insideOf(store).engine.auditBefore(before, Math.min(1_000, limit), { ...filter, owner: store.actor.owner });
  return rows.map(toLine);
}

export function toLine(row: AuditRow): AuditLine {
  const { number, at, kind, agent, principal, subject, callId, ok, code, durationMs, body, hash, keyId } = row;
  const read = { body: JSON.parse(body) as unknown, ok: ok === null ? null : ok === 1 };
  return { number, at, kind, agent, principal, subject, callId, code, durationMs, hash, keyId, ...read };
}

export interface Retention {
  readonly maxAgeMs?: number;
  readonly maxRows?: number;
  /** Of the bodies together. */
  readonly maxBytes?: number;
}

/**
 * Removes the oldest rows beyond the limits; the rest still verifies: in an audit with a key, a line says where it now begins. Answers how
 * many went.
 */
export async function pruneAudit(store: BreadcrumbStore, { maxAgeMs, maxRows, maxBytes }: Retention): Promise<number> {
  demandRole(store.actor, "curator", "remove old rows of the audit");
  const { engine, clock, auditKeys } = insideOf(store);
  const { owner, agent } = store.actor;
  return engine.writeAudit(
    async (tx) => {
      await tx.lockAudit();
      const drop = async (first: AuditEnd): Promise<void> => {
        await tx.dropAudit(first);
        if (auditKeys.current === undefined) return;
        const entry = { at: clock.now(), owner, kind: prunedKind, agent, subject: mainChain, body: JSON.stringify({ first }) };
        await appendEntries(tx, [entry], auditKeys.current);
      };
      const oldest = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : clock.now() - maxAgeMs;
      let { rows, bytes } = await tx.auditSize();
      let cut: AuditEnd | undefined;
      let removed = 0;
      const goes = (row: AuditRow): boolean =>
        row.at < oldest || rows > (maxRows ?? Number.POSITIVE_INFINITY) || bytes > (maxBytes ?? Number.POSITIVE_INFINITY);
      for (let after = (await tx.auditEnds()).first.number; ;) {
        const page = await tx.auditAfter(after, 500);
        for (const row of page) {
          if (!goes(row)) {
            if (cut !== undefined) await drop(cut);
            return removed;
          }
          cut = { number: row.number, hash: row.hash };
          rows -= 1;
          bytes -= row.body.length;
          removed += 1;
        }
        if (page.length === 0) break;
        after = page.at(-1)!.number;
      }
      if (cut !== undefined) await drop(cut);
      return removed;
    },
    { isLong: true },
  );
}
