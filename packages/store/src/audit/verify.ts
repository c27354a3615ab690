import { requireRole } from "../access.ts";
import type { AuditEnd, AuditEnds, AuditRow, ChainEnds, ChainKey } from "../engine/audit.ts";
import type { Engine } from "../engine/engine.ts";
import { anchorKind, anchorOwner, readBody, readStated, type StatedBegins, type StatedChains, toStatedChains } from "./anchor.ts";
import { createChainCheck, type LineFault } from "./chain-check.ts";
import { checkLog, type LogAnchor, readAnchor } from "./check-log.ts";
import { hashRow } from "../engine/chain.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export type AuditCheck =
  | {
      readonly ok: true;
      /** How many lines were checked. */
      readonly rows: number;
      /** How many of them carry a MAC. */
      readonly keyed: number;
      /** Store this elsewhere and pass it as `since` next time, to detect a chain whose end was cut off. */
      readonly last: AuditEnd;
      /** What this check cannot prove, in sentences. */
      readonly limits: readonly string[];
      /** Where the chain begins, after older lines were removed; absent while it begins with line 1. */
      readonly begin?: AuditBegin;
      /** The log of definitions as it is now; each head that a line states is one that it had. */
      readonly log: { readonly size: number; readonly root: string; readonly anchors: number };
      /** How many chains the lines form, and how many anchors state their ends. */
      readonly chains: { readonly count: number; readonly anchors: number };
    }
  | { readonly ok: false; readonly number: number; readonly reason: string };

/** The first line that is still there. */
export interface AuditBegin {
  readonly number: number;
  /** The signed line that states it; absent in an audit without a key. */
  readonly anchor?: { readonly number: number; /** Milliseconds since 1970. */ readonly at: number };
}

/** The kind of the line that introduces a key. Its body states where the chain began and ended at that time. */
export const keyedKind = "audit-keyed";
/** The kind of the line that states where the chain begins after old lines were removed. */
export const prunedKind = "audit-pruned";

/**
 * Checks every chain and every anchor, and reports the first line that was edited, removed, reordered or inserted. `since` is a line whose
 * number and hash were stored elsewhere: the audit must still contain it.
 */
export async function verifyAudit(store: BreadcrumbStore, options: { readonly since?: AuditEnd } = {}): Promise<AuditCheck> {
  requireRole(store.actor, "curator", "verify the audit");
  const { engine } = insideOf(store);
  for (;;) {
    const before = await engine.auditEnds();
    const check = await verifyFrom(store, before, options);
    // Retention may have removed lines meanwhile.
    if (check.ok || isSame((await engine.auditEnds()).first, before.first)) return check;
  }
}

async function verifyFrom(
  store: BreadcrumbStore,
  { first, last: before }: AuditEnds,
  { since }: { readonly since?: AuditEnd },
): Promise<AuditCheck> {
  const { engine, auditKeys } = insideOf(store);
  if (auditKeys.gone !== undefined)
    return broken(
      first.number + 1,
      `the audit had the key ${auditKeys.gone}, and its record is gone, or sealed with another master key than the one in use (see toolrack status): it is unknown whether this line and those after it were replaced`,
    );
  const chains = await engine.auditChains();
  // Others write meanwhile: the end is read after those of the chains, so that each of those is among the lines.
  const { last: wanted } = await engine.auditEnds();
  const keys = createKeyCheck(auditKeys.known, first, chains);
  const links = createChainCheck(first, chains, before.number);
  const ahead = await readAhead(engine, first.number);
  const anchors: LogAnchor[] = [];
  const names = new Set<string>();
  let last = first;
  let rows = 0;
  let meetsSince = since === undefined || isSame(first, since);
  while (last.number < wanted.number) {
    const page = await engine.auditAfter(last.number, 500);
    if (page.length === 0) return broken(last.number + 1, "it and all lines after it are missing");
    for (const row of page) {
      if (row.number !== last.number + 1) return broken(last.number + 1, "it is missing");
      for (; ahead.next !== undefined && ahead.next.upTo < row.number; await ahead.move()) {
        const fault = links.findFaultIn(ahead.next, ahead.next.line);
        if (fault !== undefined) return brokenAt(fault);
      }
      if (ahead.next?.line === row.number) return broken(row.number, "it states more lines than there are before it: lines were removed");
      const confirmed = readConfirmed(row);
      const unconfirmed = confirmed && links.findFaultIn(confirmed, row.number, { isAll: true });
      if (unconfirmed !== undefined) return brokenAt(unconfirmed);
      const fault = links.findFault(row) ?? keys.findFault(row);
      if (fault !== undefined) return broken(row.number, fault);
      names.add(row.chain);
      const stated = readAnchor(row);
      if (stated !== undefined) anchors.push(stated);
      last = { number: row.number, hash: row.hash };
      meetsSince ||= isSame(last, since!);
      rows += 1;
      if (last.number === wanted.number) break;
    }
  }
  const faultOfEnds = links.findFaultOfEnds(wanted);
  if (faultOfEnds !== undefined) return brokenAt(faultOfEnds);
  if (!meetsSince) return broken(since!.number, "the chain does not go through the line that was known before");
  const fault = auditKeys.hasKey ? keys.findFaultOfWhole() : undefined;
  if (fault !== undefined) return broken(first.number + 1, fault);
  const log = await checkLog(engine, anchors);
  if (!log.ok && log.line === undefined) return { ok: false, number: last.number, reason: log.reason };
  if (!log.ok) return broken(log.line!, `by then ${log.reason}`);
  const { anchor } = keys;
  const begin = first.number === 0 ? undefined : { number: first.number + 1, ...(anchor && { anchor }) };
  const limits = limitsOf({ ...keys, rows, since, hasKey: auditKeys.hasKey, begin });
  const found = { log: { ...log.head, anchors: anchors.length }, chains: { count: names.size, anchors: ahead.count } };
  return { ok: true, rows, keyed: keys.count, last, limits, ...found, ...(begin && { begin }) };
}

interface ReadAhead {
  /** The next anchor: it has to be compared when the lines up to `upTo` were passed, and follows them. */
  readonly next: (StatedChains & { readonly line: number }) | undefined;
  readonly count: number;
  move(): Promise<void>;
}

async function readAhead(engine: Engine, after: number): Promise<ReadAhead> {
  let page: readonly AuditRow[] = [];
  let index = -1;
  let count = 0;
  let next: ReadAhead["next"];
  const ahead: ReadAhead = {
    get next() {
      return next;
    },
    get count() {
      return count;
    },
    async move() {
      if (++index >= page.length) {
        page = await engine.auditAfter(page.at(-1)?.number ?? after, 500, { owner: anchorOwner, kinds: [anchorKind] });
        index = 0;
      }
      const row = page[index];
      next = row && { ...readStated(row), line: row.number };
      if (row !== undefined) count += 1;
    },
  };
  await ahead.move();
  return ahead;
}

/** What the line that gave the audit its key states about the chains before it. */
function readConfirmed({ kind, number, body }: AuditRow): StatedChains | undefined {
  const { chains } = kind === keyedKind ? readBody(body) : {};
  return chains === undefined ? undefined : { ...toStatedChains(chains), upTo: number - 1 };
}

interface KeyCheck {
  /** How many lines with a MAC were seen so far. */
  readonly count: number;
  /** The number of the first of them. */
  readonly start: number | undefined;
  /** The line that says where the chain begins. */
  readonly anchor: AuditBegin["anchor"] | undefined;
  findFault(row: AuditRow): string | undefined;
  /** Call it after the last line of an audit that has a key. */
  findFaultOfWhole(): string | undefined;
}

/**
 * Anybody can recompute plain hashes. So lines without a MAC are accepted only before the line that introduced the key, and the beginning of
 * the chain must be stated by a line with a MAC.
 */
function createKeyCheck(known: ReadonlyMap<string, ChainKey>, first: AuditEnd, chains: readonly ChainEnds[]): KeyCheck {
  const begins = JSON.stringify(chains.flatMap(({ chain, first: { place, hash } }) => (place === 0 ? [] : [[chain, place, hash]])));
  let count = 0;
  let unkeyed = 0;
  let start: number | undefined;
  let anchor: AuditBegin["anchor"];

  function findFault(row: AuditRow): string | undefined {
    const key = row.keyId === "" ? undefined : known.get(row.keyId);
    if (row.keyId !== "" && key === undefined)
      return `it was written under the audit key ${row.keyId.slice(0, 40)}, which is not known here, so it is unknown whether the line was changed`;
    if (hashRow(row, key) !== row.hash) return "its content does not match its hash";
    if (key === undefined) {
      unkeyed += 1;
      return count === 0 ? undefined : "it has no MAC, although the audit had a key by then";
    }
    if (count === 0 && unkeyed > 0 && row.kind !== keyedKind) return "lines before it have no MAC, and no line confirms them";
    count += 1;
    start ??= row.number;
    if ((row.kind === keyedKind || row.kind === prunedKind) && isSame(readFirst(row.body), first) && readBegins(row.body) === begins)
      anchor ??= { number: row.number, at: row.at };
    return undefined;
  }

  return {
    get count() {
      return count;
    },
    get start() {
      return start;
    },
    get anchor() {
      return anchor;
    },
    findFault,
    findFaultOfWhole() {
      if (count === 0) return "the audit has a key, and no line carries a MAC";
      if (anchor !== undefined) return undefined;
      return "the chain begins here, and no line with a MAC says so (an anchor, which retention leaves): lines before it are gone";
    },
  };
}

function readFirst(body: string): AuditEnd {
  const { first } = readBody(body) as { readonly first?: Partial<AuditEnd> | null };
  return { number: first?.number ?? -1, hash: first?.hash ?? "" };
}

function readBegins(body: string): string {
  const { begins = [] } = readBody(body) as StatedBegins;
  return JSON.stringify(begins);
}

function isSame(one: AuditEnd, other: AuditEnd): boolean {
  return one.number === other.number && one.hash === other.hash;
}

interface Checked {
  readonly rows: number;
  readonly count: number;
  readonly start: number | undefined;
  readonly since: AuditEnd | undefined;
  readonly hasKey: boolean;
  readonly begin: AuditBegin | undefined;
}

function limitsOf({ rows, count, start, since, hasKey, begin }: Checked): readonly string[] {
  const limits: string[] = [];
  if (begin !== undefined && begin.anchor === undefined)
    limits.push(
      `The audit begins at line ${begin.number}, and has no key: it is unknown whether retention removed the lines before it, or someone else.`,
    );
  if (!hasKey) limits.push("The audit has no key: anyone who can write to the database can recompute all of it.");
  else if (count < rows)
    limits.push(
      `Line ${start} gave the audit its key. The ${rows - count} lines before it have no MAC: anyone who could write to the database before then could have recomputed them.`,
    );
  if (since === undefined)
    limits.push(
      "Lines that were cut off at the end are not noticed. Keep the last line's number and hash elsewhere, and check against them.",
    );
  return limits;
}

function broken(number: number, fact: string): AuditCheck {
  return { ok: false, number, reason: `Line ${number} of the audit: ${fact}.` };
}

function brokenAt({ number, fact }: LineFault): AuditCheck {
  return broken(number, fact);
}
