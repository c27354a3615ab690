import crypto from "node:crypto";
import type { AuditRow, ChainKey, ChainTip, LineContent, LinkedLine } from "./audit.ts";
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

/** Adds entries to the end of a chain, inside a transaction. @param chain another one than the engine's own */
export async function appendEntries(tx: Writes, entries: readonly AuditEntry[], key: ChainKey | undefined, chain?: string): Promise<void> {
  await appendLines(tx, entries.map(toContent), key, chain);
}

export async function appendLines(tx: Writes, contents: readonly LineContent[], key: ChainKey | undefined, chain?: string): Promise<void> {
  if (contents.length === 0) return;
  for (;;) {
    const tip = await tx.chainTip(chain);
    if (await tx.appendAudit(linkLines(contents, tip, createLink(crypto, tip.chain, key)))) return;
  }
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
  const { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, chain, place } = row;
  const content: LineContent = [at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal];
  const tip = { number: number - 1, place: place - 1, hash: previous };
  return tipOf(linkLines([content], tip, createLink(crypto, chain, key))).hash;
}

/** The end of a chain with these last lines. Also runs in the log thread. */
export function tipOf(lines: readonly LinkedLine[]): ChainTip {
  const last = lines.at(-1)!;
  return { number: last[0], hash: last[13], chain: last[14], place: last[16] };
}

/**
 * Chains lines to the end of a chain: the hash of each covers the line and the hash before it. The writer of the chain "main" knows the numbers
 * of its lines; elsewhere the hash covers the place in the chain. It runs as text in the log thread, so it uses only its arguments.
 */
export function linkLines(
  contents: readonly LineContent[],
  tip: Omit<ChainTip, "chain">,
  { chain, keyId, digest }: Link,
): readonly LinkedLine[] {
  const isMain = chain === "" || chain === "main";
  let previous = tip.hash;
  return contents.map((content, index) => {
    const number = isMain ? tip.number + index + 1 : 0;
    const place = isMain ? 0 : tip.place + index + 1;
    const line = [...content, previous] as const;
    // The first format had neither names nor a principal.
    const covered = chain === "" ? [number, ...content.slice(0, -1), previous] : [chain, keyId, isMain ? number : place, ...line];
    previous = digest(JSON.stringify(covered));
    return [number, ...line, previous, chain, keyId, place];
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
