import { setImmediate } from "node:timers/promises";
import { requireRole } from "../access.ts";
import { type AuditEnd, type AuditFilter, type AuditRow, type ChainPlace, mainChain } from "../engine/audit.ts";
import { appendEntries, type AuditEntry } from "../engine/chain.ts";
import { inRange } from "../engine/time-range.ts";
import type { Writes } from "../engine/engine.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { stateBegins } from "./anchor.ts";
import { readHead } from "./definition-log.ts";
import { prunedKind } from "./verify.ts";

/** A line of the audit, as it is read. */
export interface AuditLine extends Omit<AuditRow, "body" | "previous" | "ok" | "owner" | "chain" | "place"> {
  readonly ok: boolean | null;
  readonly body: unknown;
}

export type AuditQuery = Omit<AuditFilter, "owner"> & {
  /** Only lines below this number. */
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
};

/** What happened. The time and the owner are added. */
export interface AuditNote extends Omit<AuditEntry, "at" | "owner" | "agent" | "body"> {
  /** Who did it. @default the store's actor */
  readonly agent?: string;
  /** Stored unchanged: leave out confidential values. */
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
  { before, from, to, limit = 100, ...filter }: AuditQuery = {},
): Promise<readonly AuditLine[]> {
  requireRole(store.actor, "curator", "read the audit");
  const { engine } = insideOf(store);
  const range = await inRange(engine, {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(before !== undefined && { before }),
  });
  const owner = store.actor.owner;
  const rows = await engine.auditBefore(range.before, Math.min(1_000, limit), { ...filter, ...range.filter, owner });
  return rows.map(toLine);
}

export function toLine(row: AuditRow): AuditLine {
  const { number, at, kind, agent, principal, subject, callId, ok, code, durationMs, body, hash, keyId } = row;
  const read = { body: JSON.parse(body) as unknown, ok: ok === null ? null : ok === 1 };
  return { number, at, kind, agent, principal, subject, callId, code, durationMs, hash, keyId, ...read };
}

/** The number of the last line that was removed from the beginning of the audit; 0 where all are there. */
export async function auditBegin(store: BreadcrumbStore): Promise<number> {
  return (await insideOf(store).engine.auditEnds()).first.number;
}

export interface Retention {
  readonly maxAgeMs?: number;
  readonly maxRows?: number;
  /** Of the bodies together. */
  readonly maxBytes?: number;
}

/**
 * Removes the oldest lines beyond the limits, some at a time, so that writers never wait long. The rest still verifies: in an audit with a
 * key, an anchor (a line signed with the key) states where the chain now begins. Returns how many lines were removed.
 */
export async function pruneAudit(store: BreadcrumbStore, limits: Retention): Promise<number> {
  requireRole(store.actor, "curator", "remove old rows of the audit");
  const { engine, clock, auditKeys } = insideOf(store);
  const { owner, agent } = store.actor;
  for (let removed = 0; ;) {
    const key = auditKeys.current;
    const count = await engine.writeAudit(
      async (tx) => {
        await tx.lockAudit();
        const { cut, chains, rows } = await findCut(tx, limits, { now: clock.now(), hasKey: key !== undefined });
        if (cut === undefined) return 0;
        await tx.dropAudit(cut, chains);
        if (key !== undefined) {
          // The lines that stated its earlier heads may be among those that are removed.
          const log = await readHead(tx);
          const body = JSON.stringify({ first: cut, log, ...(await stateBegins(tx)) });
          const entry = { at: clock.now(), owner, kind: prunedKind, agent, subject: mainChain, body };
          await appendEntries(tx, [entry], key);
        }
        return rows;
      },
      { isLong: true },
    );
    removed += count;
    if (count < atOnce) return removed;
    await setImmediate();
  }
}

/** Few enough not to delay calls that wait to be written. */
const atOnce = 2_000;

/** The last line to remove in this step, where each chain then begins that loses lines, and how many lines that are. */
async function findCut(
  tx: Writes,
  { maxAgeMs, maxRows = Number.POSITIVE_INFINITY, maxBytes }: Retention,
  { now, hasKey }: { readonly now: number; readonly hasKey: boolean },
): Promise<Cut> {
  const { first, last } = await tx.auditEnds();
  const oldest = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : now - maxAgeMs;
  const all = last.number - first.number;
  // The anchor itself may exceed the limit by one line; that is no reason for another anchor.
  const surplus = all > maxRows + Number(hasKey) ? all - maxRows : 0;
  let tooMuch = maxBytes === undefined ? 0 : (await tx.auditSize()).bytes - maxBytes;
  let cut: AuditEnd | undefined;
  const begins = new Map<string, ChainPlace>();
  let rows = 0;
  const found = (): Cut => ({ cut, rows, chains: [...begins].map(([chain, begin]) => ({ chain, first: begin })) });
  for (let after = first.number; rows < atOnce;) {
    const page = await tx.auditAfter(after, Math.min(500, atOnce - rows));
    for (const row of page) {
      if (row.at >= oldest && rows >= surplus && tooMuch <= 0) return found();
      if (row.place > 0) begins.set(row.chain, { place: row.place, hash: row.hash });
      cut = { number: row.number, hash: row.place > 0 ? (cut ?? first).hash : row.hash };
      tooMuch -= row.body.length;
      rows += 1;
    }
    if (page.length === 0) break;
    after = page.at(-1)!.number;
  }
  return found();
}

interface Cut {
  readonly cut: AuditEnd | undefined;
  readonly chains: readonly { readonly chain: string; readonly first: ChainPlace }[];
  readonly rows: number;
}
