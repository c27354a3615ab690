import { demandRole } from "../access/actor.ts";
import type { AuditEnd, AuditFilter, AuditRow } from "../engines/_audit.ts";
import { appendEntries, type AuditEntry, hashRow } from "../engines/_chain.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export interface AuditOptions {
  /** Makes the hashes depend on a key, so that a chain cannot be made anew without it. Keep the same key for a store's life. */
  readonly key?: Uint8Array;
}

/** A line of the audit, as it is read. */
export interface AuditLine extends Omit<AuditRow, "body" | "previous" | "ok" | "owner"> {
  readonly ok: boolean | null;
  readonly body: unknown;
}

export type AuditCheck =
  | {
      readonly ok: true;
      /** How many rows were checked. */ readonly rows: number;
      /** Keep this elsewhere to notice a chain that was cut. */ readonly last: AuditEnd;
    }
  | { readonly ok: false; readonly number: number; readonly reason: string };

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
export async function addToAudit(store: BreadcrumbStore, entries: readonly AuditNote[], options: AuditOptions = {}): Promise<void> {
  const { engine, unit, clock } = insideOf(store);
  const { owner, agent } = store.actor;
  const whole = entries.map(({ body, ...entry }) => ({ agent, ...entry, owner, at: clock.now(), body: JSON.stringify(body) ?? "null" }));
  if (unit !== undefined) await appendEntries(unit.tx, whole, options.key);
  else await engine.writeAudit((tx) => appendEntries(tx, whole, options.key));
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
  const { number, at, kind, agent, subject, callId, ok, code, durationMs, body, hash } = row;
  const read = { body: JSON.parse(body) as unknown, ok: ok === null ? null : ok === 1 };
  return { number, at, kind, agent, subject, callId, code, durationMs, hash, ...read };
}

/**
 * Walks the whole chain and tells the first row that was edited, removed, reordered or put in. `since` is an end that was kept elsewhere:
 * the chain must still go through it.
 */
export async function verifyAudit(store: BreadcrumbStore, options: AuditOptions & { readonly since?: AuditEnd } = {}): Promise<AuditCheck> {
  demandRole(store.actor, "curator", "verify the audit");
  const { engine } = insideOf(store);
  const { first, last: wanted } = await engine.auditEnds();
  let last = first;
  let rows = 0;
  let meetsSince = options.since === undefined || (first.number === options.since.number && first.hash === options.since.hash);
  while (last.number < wanted.number) {
    const page = await engine.auditAfter(last.number, 500);
    if (page.length === 0) return broken(last.number + 1, "it and all that follow are missing");
    for (const row of page) {
      if (row.number !== last.number + 1) return broken(last.number + 1, "it is missing");
      if (row.previous !== last.hash) return broken(row.number, "it does not follow the row before it");
      if (hashRow(row, options.key) !== row.hash) return broken(row.number, "its content does not fit its hash");
      last = { number: row.number, hash: row.hash };
      meetsSince ||= last.number === options.since?.number && last.hash === options.since.hash;
      rows += 1;
      if (last.number === wanted.number) break;
    }
  }
  if (last.hash !== wanted.hash) return broken(wanted.number, "it is not the row that was written last");
  if (!meetsSince) return broken(options.since!.number, "the chain does not go through the row that was known before");
  return { ok: true, rows, last };
}

function broken(number: number, fact: string): AuditCheck {
  return { ok: false, number, reason: `Row ${number} of the audit: ${fact}.` };
}

export interface Retention {
  readonly maxAgeMs?: number;
  readonly maxRows?: number;
  /** Of the bodies together. */
  readonly maxBytes?: number;
}

/** Removes the oldest rows beyond the limits; the rest still verifies. Answers how many went. */
export async function pruneAudit(store: BreadcrumbStore, { maxAgeMs, maxRows, maxBytes }: Retention): Promise<number> {
  demandRole(store.actor, "curator", "remove old rows of the audit");
  const { engine, clock } = insideOf(store);
  return engine.writeAudit(async (tx) => {
    await tx.lockAudit();
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
          if (cut !== undefined) await tx.dropAudit(cut);
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
    if (cut !== undefined) await tx.dropAudit(cut);
    return removed;
  });
}
