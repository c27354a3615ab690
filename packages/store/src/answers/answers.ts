import { setTimeout as sleep } from "node:timers/promises";
import { requireRole } from "../access.ts";
import type { ServerLease } from "../calls/server-lease.ts";
import { leaseLost } from "../engine/lease.ts";
import type { Lease } from "../engine/presence.ts";
import { StoreError } from "../errors.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { type Claim, createClaims, type Found, type StoredAnswer, toClaim } from "./claims.ts";

export interface AnswersOptions {
  /** How long an answer is stored. @default 86_400_000 */
  readonly keepMs?: number;
  /** How many answers of an owner are stored; those that expire first are removed first. @default 100_000 */
  readonly maxAnswers?: number;
  /** How many answers of one caller are stored; its own that expire first are removed first. @default 500 */
  readonly maxAnswersPerCaller?: number;
  /** A longer answer, as JSON, is not stored, and its key is not used again. @default 1_048_576 */
  readonly maxAnswerBytes?: number;
  /**
   * The lease of the server that works on the keys: a key is held for as long as the server has its lease. Without a lease it is unknown
   * whether an answer is still to come, and an unanswered key is held for a week.
   */
  readonly server?: ServerLease;
}

export interface AnswerRequest<Value> {
  /** The key of the request. Include the caller in it: keys of different callers must not collide. */
  readonly key: string;
  /** Groups answers for `maxAnswersPerCaller`. */
  readonly caller?: string;
  /** The content of the request; the same key with another content is refused. */
  readonly request: unknown;
  /** Names the work, so that its outcome can be found when its server is gone. */
  readonly work?: string;
  /**
   * Does the work and resolves with JSON. If it throws, nothing is stored and the key is free again. The signal aborts when the server loses its
   * lease: another server may have the key by then, so no further work may begin.
   */
  make(signal: AbortSignal): Promise<Value>;
  /** Finds the outcome of work whose server is gone. @default "unknown" */
  settle?(unfinished: UnfinishedWork): Promise<Settled<Value>>;
  /** Whether to store this answer; otherwise the key is free again. @default every answer is stored */
  isKept?(value: Value): boolean;
  /** How long to wait for a server that works on the same key. @default 10_000 */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** Work on a key whose server is gone. */
export interface UnfinishedWork {
  readonly server: string;
  /** As the request named it. */
  readonly work: string | undefined;
}

export type Settled<Value> =
  /** It was done, and this is the answer. */
  | { readonly value: Value }
  /** Nothing was done, or doing it twice does no harm. */
  | "again"
  /** It may have been done. */
  | "unknown";

export type Answered<Value> =
  /** `isFirst`: made now, not repeated. */
  | { readonly outcome: "answered"; readonly isFirst: boolean; readonly value: Value }
  /** The key was used for another request. */
  | { readonly outcome: "different" }
  /** The work still runs, longer than `waitMs`. */
  | { readonly outcome: "running" }
  /** It was answered, and the answer was too long to be stored. */
  | { readonly outcome: "not-kept" }
  /** The server that worked on it is gone, and it is not known whether the work was done. */
  | { readonly outcome: "unknown" };

/** First answers, shared by every server on the store: a repeated request with the same key gets the first answer. */
export interface Answers {
  once<Value>(request: AnswerRequest<Value>): Promise<Answered<Value>>;
}

export function createAnswers(store: BreadcrumbStore, options: AnswersOptions = {}): Answers {
  const { keepMs = 86_400_000, maxAnswers = 100_000, maxAnswersPerCaller = 500, maxAnswerBytes = 1_048_576, server } = options;
  const claims = createClaims(store, { keepMs, maxAnswers, maxAnswersPerCaller, server });

  /** If the lease was lost in the meantime, the next request finds the outcome. */
  async function make<Value>(claim: Claim, lease: Lease | undefined, request: AnswerRequest<Value>): Promise<Answered<Value>> {
    const isHeld = (): boolean => lease?.name === server?.name;
    const controller = new AbortController();
    const end = (): void => controller.abort(leaseLost(lease!.name));
    const leave = server?.onLoss?.(end);
    try {
      if (!isHeld()) end();
      const value = await request.make(controller.signal);
      await settle(claim, (request.isKept?.(value) ?? true) ? toStoredAnswer(claim, value) : undefined, isHeld);
      return { outcome: "answered", isFirst: true, value };
    } catch (error) {
      await settle(claim, undefined, isHeld);
      throw error;
    } finally {
      leave?.();
    }
  }

  /** If it cannot be written now, it is retried in the background. */
  async function settle(claim: Claim, stored: StoredAnswer | undefined, isHeld: () => boolean, pauseMs = 250): Promise<void> {
    if (!isHeld()) return;
    try {
      await claims.settle(claim, stored);
    } catch (error) {
      if (StoreError.is(error) && error.code === "STORE_CLOSED") return;
      setTimeout(() => void settle(claim, stored, isHeld, Math.min(pauseMs * 2, 10_000)), pauseMs).unref();
    }
  }

  function toStoredAnswer({ digest }: Claim, value: unknown): StoredAnswer {
    const text = JSON.stringify(value) ?? "null";
    return Buffer.byteLength(text) > maxAnswerBytes ? { digest, state: "not-kept" } : { digest, state: "answered", value };
  }

  /** Undefined if another server was faster: look again. */
  async function finish<Value>(claim: Claim, left: Found, request: AnswerRequest<Value>): Promise<Answered<Value> | undefined> {
    const settled = (await request.settle?.({ server: left.lease!.name, work: left.work })) ?? "unknown";
    if (settled === "unknown") return { outcome: "unknown" };
    if (settled === "again") {
      const { lease, isTaken } = await claims.takeOver(claim, left);
      return isTaken ? make(claim, lease, request) : undefined;
    }
    const { value } = settled;
    return (await claims.settle(claim, toStoredAnswer(claim, value), left.holder))
      ? { outcome: "answered", isFirst: false, value }
      : undefined;
  }

  async function attempt<Value>(claim: Claim, request: AnswerRequest<Value>): Promise<Answered<Value> | undefined> {
    const { lease, there } = await claims.take(claim);
    if (there === undefined) return make(claim, lease, request);
    if (there.digest !== claim.digest) return { outcome: "different" };
    if (there.state === "answered") return { outcome: "answered", isFirst: false, value: there.value as Value };
    if (there.state === "not-kept") return { outcome: "not-kept" };
    return there.isLeft ? finish(claim, there, request) : { outcome: "running" };
  }

  return {
    async once<Value>(request: AnswerRequest<Value>) {
      requireRole(store.actor, "emitter", "keep answers");
      const claim = toClaim(request.key, request.caller, request.request, request.work);
      const deadline = performance.now() + (request.waitMs ?? 10_000);
      for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) {
        request.signal?.throwIfAborted();
        const answered = await attempt(claim, request);
        if (answered !== undefined && answered.outcome !== "running") return answered;
        if (performance.now() >= deadline) return { outcome: "running" };
        await sleep(pauseMs, undefined, { ...(request.signal && { signal: request.signal }) });
      }
    },
  };
}
