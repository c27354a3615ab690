import { createHmac } from "node:crypto";
import type { AuditEnd, AuditRow } from "../engines/_audit.ts";
import type { Writes } from "../engines/engine.ts";
import { sha256 } from "./sha256.ts";

/** What happened, before it gets its number. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly owner: string;
  readonly kind: string;
  readonly agent: string;
  readonly subject: string;
  readonly callId?: string | undefined;
  readonly ok?: boolean | undefined;
  readonly code?: string | undefined;
  readonly durationMs?: number | undefined;
  /** JSON. */
  readonly body: string;
}

/** Each row's hash covers the row and the hash before it. With a key nobody without it can make a chain that verifies. */
export function hashRow(row: Omit<AuditRow, "hash">, key: Uint8Array | undefined): string {
  const { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, previous } = row;
  const text = JSON.stringify([number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, previous]);
  return key === undefined ? sha256(text) : createHmac("sha256", key).update(text).digest("hex");
}

/** Adds entries to the end of the chain, inside a transaction. */
export async function appendEntries(tx: Writes, entries: readonly AuditEntry[], key: Uint8Array | undefined): Promise<void> {
  let last: AuditEnd = await tx.lockAudit();
  const rows = entries.map((entry): AuditRow => {
    const { at, owner, kind, agent, subject, callId, ok, code, durationMs, body } = entry;
    const row: Unhashed = {
      number: last.number + 1,
      at: Math.floor(at),
      owner,
      kind,
      agent: storable(agent),
      subject: storable(subject),
      callId: callId === undefined ? null : storable(callId),
      ok: ok === undefined ? null : Number(ok),
      code: code ?? null,
      durationMs: durationMs === undefined ? null : Math.round(durationMs * 1_000) / 1_000,
      body,
      previous: last.hash,
      hash: "",
    };
    row.hash = hashRow(row, key);
    last = row;
    return row;
  });
  await tx.appendAudit(rows);
}

type Unhashed = Omit<AuditRow, "hash"> & { hash: string };

/** Names of calls, tools and agents come from outside, and databases take neither every character nor every length. */
export function storable(name: string): string {
  if (ordinaryName.test(name)) return name;
  const text = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  return Buffer.from(text).toString().replaceAll("\0", "\ufffd"); // half a surrogate pair becomes a mark as well
}

const longestName = 512;
const ordinaryName = /^[\x20-\x7e]{0,512}$/;
