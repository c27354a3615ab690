import crypto from "node:crypto";
import { type AuditEnd, type AuditRow, type ChainKey, type LineContent, type LinkedLine, mainChain } from "./audit.ts";
import type { Writes } from "./engine.ts";

/** A line of the audit before it gets its number. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly owner: string;
  readonly kind: string;
  readonly agent: string;
  readonly principal?: string | undefined;
  readonly subject: string;
  readonly callId?: string | undefined;
  readonly ok?: boolean | undefined;
  readonly code?: string | undefined;
  readonly durationMs?: number | undefined;
  /** JSON. */
  readonly body: string;
}

/** How lines are chained: names and hash function. */
export interface Link {
  /** "" for the first format of lines, which names neither chain nor key. */
  readonly chain: string;
  readonly keyId: string;
  readonly digest: (text: string) => string;
}

/** Adds entries to the end of the chain, inside a transaction. */
export async function appendEntries(tx: Writes, entries: readonly AuditEntry[], key: ChainKey | undefined): Promise<void> {
  await appendLines(tx, entries.map(toContent), key);
}

export async function appendLines(tx: Writes, contents: readonly LineContent[], key: ChainKey | undefined): Promise<void> {
  if (contents.length === 0) return;
  await tx.appendAudit(linkLines(contents, await tx.lockAudit(), createLink(crypto, mainChain, key)));
}

export function toContent({ at, owner, kind, agent, principal, subject, callId, ok, code, durationMs, body }: AuditEntry): LineContent {
  return [
    Math.floor(at),
    owner,
    kind,
    storable(agent),
    storable(subject),
    callId === undefined ? null : storable(callId),
    ok === undefined ? null : Number(ok),
    code ?? null,
    durationMs === undefined ? null : Math.round(durationMs * 1_000) / 1_000,
    body,
    principal === undefined ? "" : storable(principal),
  ];
}

export function hashRow(row: Omit<AuditRow, "hash">, key: ChainKey | undefined): string {
  const { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, chain } = row;
  const content: LineContent = [at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal];
  return endOf(linkLines([content], { number: number - 1, hash: previous }, createLink(crypto, chain, key))).hash;
}

/** The end of a chain with these last lines. Also runs in the log thread. */
export function endOf(lines: readonly LinkedLine[]): AuditEnd {
  const last = lines.at(-1)!;
  return { number: last[0], hash: last[13] };
}

/**
 * Chains lines to the end of the audit: the hash of each covers the line and the hash before it. It runs as text in the log thread, so it
 * uses only its arguments.
 */
export function linkLines(contents: readonly LineContent[], end: AuditEnd, { chain, keyId, digest }: Link): readonly LinkedLine[] {
  let previous = end.hash;
  return contents.map((content, index) => {
    const number = end.number + index + 1;
    const line = [number, ...content, previous] as const;
    // The first format had neither names nor a principal.
    const covered = chain === "" ? [number, ...content.slice(0, -1), previous] : [chain, keyId, ...line];
    previous = digest(JSON.stringify(covered));
    return [...line, previous, chain, keyId];
  });
}

/**
 * Hashes are hexadecimal. `crypto.hash`, where Node has it, takes half the time for a short text. It also runs as text in the log thread.
 */
export function createLink({ hash, createHash, createHmac }: typeof crypto, chain: string, key: ChainKey | undefined): Link {
  if (key !== undefined) return { chain, keyId: key.id, digest: (text) => createHmac("sha256", key.bytes).update(text).digest("hex") };
  if (typeof hash === "function") return { chain, keyId: "", digest: (text) => hash("sha256", text) };
  return { chain, keyId: "", digest: (text) => createHash("sha256").update(text).digest("hex") };
}

/** Makes a name storable: names come from outside, and databases accept neither every character nor every length. */
export function storable(name: string): string {
  if (ordinaryName.test(name)) return name;
  const text = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  return Buffer.from(text).toString().replaceAll("\0", "\ufffd"); // a lone surrogate becomes U+FFFD as well
}

const longestName = 512;
const ordinaryName = /^[\x20-\x7e]{0,512}$/;
