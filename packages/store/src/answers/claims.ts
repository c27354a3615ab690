import { createHash, randomUUID } from "node:crypto";
import { canonicalJson } from "@toolrack/core/internal";
import type { ServerLease } from "../calls/server-lease.ts";
import { leaseLost, serverOfLost } from "../engine/lease.ts";
import type { Note } from "../engine/notes.ts";
import type { Lease } from "../engine/presence.ts";
import type { Writes } from "../engine/engine.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

/** What is stored under a key. */
export interface StoredAnswer {
  readonly digest: string;
  readonly state: "running" | "answered" | "not-kept";
  readonly value?: unknown;
  /** The lease under which the work on a key runs. */
  readonly lease?: Lease;
  /** What the work on it is called. */
  readonly work?: string;
}

/** What is there under a key. */
export interface Found extends StoredAnswer {
  /** Who works on it. */
  readonly holder: string;
  /** The server that worked on it is gone. */
  readonly isLeft: boolean;
}

/** One attempt to be the first. */
export interface Claim {
  readonly name: string;
  readonly digest: string;
  readonly holder: string;
  readonly work: string | undefined;
  /** How the names of this caller's answers begin. */
  readonly prefix: string | undefined;
}

export interface ClaimLimits {
  readonly keepMs: number;
  readonly maxAnswers: number;
  readonly maxAnswersPerCaller: number;
  readonly server: ServerLease | undefined;
}

/** Keys that are taken or answered, each a note of the store. */
export interface Claims {
  /** Claims the key under the current lease and returns the lease; or returns what is stored under the key. */
  take(claim: Claim): Promise<{ readonly lease: Lease | undefined; readonly there: Found | undefined }>;
  /** Claims a key whose server is gone; `isTaken` is false if another server was faster. */
  takeOver(claim: Claim, left: Found): Promise<{ readonly lease: Lease | undefined; readonly isTaken: boolean }>;
  /** Writes or removes the answer while the key is held; false if another server holds it by now. */
  settle(claim: Claim, stored: StoredAnswer | undefined, holder?: string): Promise<boolean>;
}

export function toClaim(key: string, caller: string | undefined, request: unknown, work: string | undefined): Claim {
  const prefix = caller === undefined ? undefined : `${sha256(caller).slice(0, 32)}-`;
  return { name: `${prefix ?? ""}${sha256(key)}`, prefix, digest: sha256(canonicalJson(request)), holder: randomUUID(), work };
}

export function createClaims(store: BreadcrumbStore, { keepMs, maxAnswers, maxAnswersPerCaller, server }: ClaimLimits): Claims {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  let claims = 0;

  const toNote = ({ name, holder }: Claim, stored: StoredAnswer): Note => ({
    owner,
    kind: "answer",
    name,
    holder: stored.state === "running" ? holder : "",
    endsAt: clock.now() + (stored.state === "running" ? longestMs : keepMs),
    body: JSON.stringify(stored),
  });

  const toRunning = ({ digest, work }: Claim, lease: Lease | undefined): StoredAnswer => ({
    digest,
    state: "running",
    ...(lease !== undefined && { lease }),
    ...(work !== undefined && { work }),
  });

  /** After a lost lease, the key is claimed under the next one. */
  async function underLease<Result>(work: (lease: Lease | undefined) => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries++) {
      const lease = server && { owner: server.owner, name: server.name };
      try {
        return await work(lease);
      } catch (error) {
        if (lease === undefined || serverOfLost(error) !== lease.name || tries >= mostTries) throw error;
        await server!.lost(lease.name);
      }
    }
  }

  /** In one round trip, if the engine can. Undefined: there is something under the key, or it is time to look at all keys. */
  async function claimAtOnce(claim: Claim, lease: Lease | undefined): Promise<true | undefined> {
    if (engine.claims === undefined || claims % sweepEvery === 0) return undefined;
    const limits = { lease, now: clock.now(), most: maxAnswersPerCaller - 1, prefix: claim.prefix };
    const outcome = await engine.claims.claim(toNote(claim, toRunning(claim, lease)), limits);
    if (outcome === "lost") throw leaseLost(lease!.name);
    if (outcome === "taken") return undefined;
    claims++;
    return true;
  }

  async function claimOrFind(tx: Writes, claim: Claim, lease: Lease | undefined): Promise<Found | undefined> {
    if (claims++ % sweepEvery === 0) await tx.trimNotes(owner, "answer", clock.now(), maxAnswers);
    for (;;) {
      if (await tx.claimNote(toNote(claim, toRunning(claim, lease)))) {
        // Makes room for the new answer.
        if (claim.prefix !== undefined) await tx.trimNotes(owner, "answer", clock.now(), maxAnswersPerCaller - 1, claim.prefix);
        await requireLease(tx, lease);
        return undefined;
      }
      const there = await tx.note(owner, "answer", claim.name);
      if (there !== undefined && there.endsAt! > clock.now()) {
        const stored = JSON.parse(there.body) as StoredAnswer;
        // Earlier versions hold a key for a fixed time, without a lease.
        const isLeft = stored.state === "running" && stored.lease !== undefined && !(await tx.holdsLease(stored.lease));
        return { ...stored, holder: there.holder, isLeft };
      }
      // Removed, not replaced: of several servers that find it expired, one claims it.
      await tx.trimNotes(owner, "answer", clock.now(), maxAnswers);
    }
  }

  async function settle(claim: Claim, stored: StoredAnswer | undefined, holder: string = claim.holder): Promise<boolean> {
    if (engine.claims !== undefined && stored === undefined) return engine.claims.drop({ owner, kind: "answer", name: claim.name }, holder);
    if (engine.claims !== undefined && stored?.lease === undefined) return engine.claims.settle(toNote(claim, stored!), holder);
    return engine.writeAudit(async (tx) => {
      if ((await tx.note(owner, "answer", claim.name))?.holder !== holder) return false;
      await (stored === undefined ? tx.removeNotes(owner, "answer", [claim.name]) : tx.saveNotes([toNote(claim, stored)]));
      await requireLease(tx, stored?.lease);
      return true;
    });
  }

  return {
    settle,
    take: (claim) =>
      underLease(async (lease) => {
        if (await claimAtOnce(claim, lease)) return { lease, there: undefined };
        return { lease, there: await engine.writeAudit((tx) => claimOrFind(tx, claim, lease)) };
      }),
    takeOver: (claim, { holder }) =>
      underLease(async (lease) => ({ lease, isTaken: await settle(claim, toRunning(claim, lease), holder) })),
  };
}

async function requireLease(tx: Writes, lease: Lease | undefined): Promise<void> {
  if (lease !== undefined && !(await tx.holdsLease(lease))) throw leaseLost(lease.name);
}

const sweepEvery = 100;
const mostTries = 50;
/** A key whose server is gone, and that is not requested again, is removed after this time. */
const longestMs = 7 * 86_400_000;

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
