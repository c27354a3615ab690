import { createMerkleLog, leafHash } from "@toolrack/core/internal";
import { requireRole } from "../access.ts";
import { type AuditReads, type AuditRow, type AuditWrites, type ChainMoves, mainChain } from "../engine/audit.ts";
import { appendEntries } from "../engine/chain.ts";
import type { ClusterLease } from "../engine/cluster-lease.ts";
import type { Writes } from "../engine/engine.ts";
import { StoreError } from "../errors.ts";
import { isObject } from "../record/json.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/** The kind of the line that states where the chains of the audit ended. */
export const anchorKind = "audit-anchor";
/** The chain of these lines: whoever holds the lease adds to it. */
const anchorChain = "anchors";
/** No actor reads the lines of this owner in lists: they are about the audit of all owners. */
export const anchorOwner = "toolrack-audit";

/** Where chains ended at one moment, as a line states it. */
export interface StatedChains extends Omit<ChainMoves, "ends"> {
  /** The Merkle root over the ends, in their order. */
  readonly root: string;
  readonly ends: readonly StatedEnd[];
}

/** The last line of a chain: its place there, its number in the audit, its hash. */
export type StatedEnd = readonly [chain: string, place: number, number: number, hash: string];

/**
 * Adds a line that states where every chain ends that got lines since the last such line, so that none of them can be cut, changed or removed
 * unnoticed. False: there is nothing to state, or the audit has one chain only. Rejects with LEASE_LOST where another server has the lease.
 */
export async function anchorAudit(store: BreadcrumbStore, lease?: ClusterLease): Promise<boolean> {
  requireRole(store.actor, "curator", "anchor the audit");
  const { engine, clock, auditKeys } = insideOf(store);
  const { owner, agent } = store.actor;
  if (!engine.hasChains) return false;
  return engine.writeAudit(async (tx) => {
    if (lease !== undefined && !(await tx.holdsClusterLease(owner, lease)))
      throw new StoreError("LEASE_LOST", `The lease "${lease.name}" was taken by another server, which anchors the audit from now on.`);
    const [last] = await tx.auditBefore(Number.MAX_SAFE_INTEGER, 1, { owner: anchorOwner, kinds: [anchorKind] });
    const before = last === undefined ? undefined : readStated(last);
    // Its own line is no reason for another one.
    const moves = await tx.chainsSince(before?.upTo ?? 0);
    const ends = moves.ends.filter(({ chain }) => chain !== anchorChain);
    if (ends.length === 0 && moves.main === (before?.main ?? "")) return false;
    const body = JSON.stringify(toStated({ ...moves, ends }));
    const entry = { at: clock.now(), owner: anchorOwner, kind: anchorKind, agent, subject: anchorChain, body };
    await appendEntries(tx, [entry], auditKeys.current, anchorChain);
    return true;
  });
}

/**
 * `anchorAudit` for whoever calls it again and again: while no line is added, a call reads one number. Every so often it looks all the same, so
 * that nothing depends on that number alone.
 */
export function createAnchoring(store: BreadcrumbStore): (lease?: ClusterLease) => Promise<boolean> {
  const { engine } = insideOf(store);
  /** The number of the last line when there was nothing to state. */
  let quietAt: number | undefined;
  let left = mostSkipped;
  return async (lease) => {
    const { last } = await engine.auditEnds();
    if (last.number === quietAt && left-- > 0) return false;
    left = mostSkipped;
    const isStated = await anchorAudit(store, lease);
    quietAt = isStated ? undefined : last.number;
    return isStated;
  };
}

const mostSkipped = 60;

/** Whether the audit has several chains, which only anchors hold together. */
export function needsAnchors(store: BreadcrumbStore): boolean {
  return insideOf(store).engine.hasChains;
}

/** All chains, for a line that confirms everything before it. Nothing where the line is in the only chain, which confirms it by its hash. */
export async function stateChains(tx: Pick<AuditReads, "chainsSince"> & Pick<AuditWrites, "chainTip">): Promise<StatedAll> {
  const moves = await tx.chainsSince(0);
  return moves.ends.length === 0 && (await tx.chainTip()).chain === mainChain ? {} : { chains: toStated(moves) };
}

export interface StatedAll {
  readonly chains?: StatedChains;
}

/** The beginnings of chains that lost lines to retention. */
export async function stateBegins(tx: Pick<Writes, "auditChains">): Promise<StatedBegins> {
  const begins = (await tx.auditChains()).filter(({ first }) => first.place > 0);
  return begins.length === 0 ? {} : { begins: begins.map(({ chain, first }) => [chain, first.place, first.hash]) };
}

export interface StatedBegins {
  readonly begins?: readonly (readonly [chain: string, place: number, hash: string])[];
}

/** What an anchor states. The line may have been changed, to anything: then it states what cannot be so. */
export function readStated({ body }: Pick<AuditRow, "body">): StatedChains {
  return toStatedChains(readBody(body));
}

/** What a line says of chains; nothing that can be so where it is damaged. */
export function toStatedChains(value: unknown): StatedChains {
  const { upTo, main, root, ends } = (isObject(value) ? value : {}) as Partial<Record<keyof StatedChains, unknown>>;
  const isSound =
    typeof upTo === "number" && typeof main === "string" && typeof root === "string" && Array.isArray(ends) && ends.every(isEnd);
  return isSound ? { upTo, main, root, ends: ends as StatedEnd[] } : { upTo: -1, main: "", root: "", ends: [] };
}

/** What a line says, by name: nothing where somebody changed it to something that has no names. */
export function readBody(body: string): Readonly<Record<string, unknown>> {
  let said: unknown;
  try {
    said = JSON.parse(body);
  } catch {
    return {};
  }
  return isObject(said) ? said : {};
}

function isEnd(value: unknown): value is StatedEnd {
  if (!Array.isArray(value)) return false;
  const [chain, place, number, hash] = value as unknown[];
  return typeof chain === "string" && typeof place === "number" && typeof number === "number" && typeof hash === "string";
}

function toStated({ upTo, main, ends }: ChainMoves): StatedChains {
  const stated = ends.map(({ chain, place, number, hash }): StatedEnd => [chain, place, number, hash]);
  return { upTo, main, root: rootOfEnds(stated), ends: stated };
}

export function rootOfEnds(ends: readonly StatedEnd[]): string {
  return createMerkleLog(ends.map((end) => leafHash(JSON.stringify(end)))).head().root;
}
