import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { demandRole } from "../access/actor.ts";
import type { Note } from "../engines/_notes.ts";
import { canonicalJson } from "@toolrack/core/internal";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export interface AnswersOptions {
  /** How long an answer is kept. @default 86_400_000 */
  readonly keepMs?: number;
  /** How many answers of an owner are kept; those that end first go first. @default 100_000 */
  readonly maxAnswers?: number;
  /** How many of one caller; its own that end first go first. @default 500 */
  readonly maxAnswersPerCaller?: number;
  /** A longer answer, as JSON, is not kept, and its key is not used again. @default 1_048_576 */
  readonly maxAnswerBytes?: number;
  /** How long a key stays taken when the server that works on it is heard of no more. @default 30_000 */
  readonly leaseMs?: number;
}

export interface AnswerRequest<Value> {
  /** What the client calls its request. Make the caller part of it: keys of different callers must not meet. */
  readonly key: string;
  /** Whose answers are counted together; without it, only all answers are. */
  readonly caller?: string;
  /** What was asked; the same key for something else is refused. */
  readonly request: unknown;
  /** Answers JSON. What it throws is not kept, and the key is free again. */
  make(): Promise<Value>;
  /** Whether an answer is to be given again; where not, the key is free. @default every answer */
  isKept?(value: Value): boolean;
  /** How long to wait for a server that works on the same key. @default 10_000 */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export type Answered<Value> =
  /** `isFirst`: made now, not repeated. */
  | { readonly outcome: "answered"; readonly isFirst: boolean; readonly value: Value }
  /** The key was used for another request. */
  | { readonly outcome: "different" }
  /** Somebody still works on it, longer than was to be waited. */
  | { readonly outcome: "running" }
  /** It was answered, and the answer was too long to be kept. */
  | { readonly outcome: "not-kept" };

/** First answers, shared by every server on the store: whoever comes with the same key again gets what the first one got. */
export interface Answers {
  once<Value>(request: AnswerRequest<Value>): Promise<Answered<Value>>;
}

interface Kept {
  readonly digest: string;
  readonly state: "running" | "answered" | "not-kept";
  readonly value?: unknown;
}

/** One attempt to be the first. */
interface Claim {
  readonly name: string;
  readonly digest: string;
  readonly holder: string;
  /** How the names of this caller's answers begin. */
  readonly prefix: string | undefined;
}

export function createAnswers(store: BreadcrumbStore, options: AnswersOptions = {}): Answers {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const { keepMs = 86_400_000, maxAnswers = 100_000, maxAnswersPerCaller = 500, maxAnswerBytes = 1_048_576, leaseMs = 30_000 } = options;
  let claims = 0;

  const toNote = ({ name, holder }: Claim, kept: Kept): Note => ({
    owner,
    kind: "answer",
    name,
    holder: kept.state === "running" ? holder : "",
    endsAt: clock.now() + (kept.state === "running" ? leaseMs : keepMs),
    body: JSON.stringify(kept),
  });

  /** Writes, or removes, what is still ours; a claim that was lost meanwhile is left to whoever has it now. */
  function settle(claim: Claim, kept: Kept | undefined): Promise<void> {
    return engine.writeAudit(async (tx) => {
      if ((await tx.note(owner, "answer", claim.name))?.holder !== claim.holder) return;
      await (kept === undefined ? tx.removeNotes(owner, "answer", [claim.name]) : tx.saveNotes([toNote(claim, kept)]));
    });
  }

  /** Takes the key, or answers what is there. */
  function take(claim: Claim): Promise<Kept | undefined> {
    const { name, digest } = claim;
    return engine.writeAudit(async (tx) => {
      if (claims++ % sweepEvery === 0) await tx.trimNotes(owner, "answer", clock.now(), maxAnswers);
      for (;;) {
        if (await tx.claimNote(toNote(claim, { digest, state: "running" }))) {
          // Room for the answer that is about to be made.
          if (claim.prefix !== undefined) await tx.trimNotes(owner, "answer", clock.now(), maxAnswersPerCaller - 1, claim.prefix);
          return undefined;
        }
        const there = await tx.note(owner, "answer", name);
        if (there !== undefined && there.endsAt! > clock.now()) return JSON.parse(there.body) as Kept;
        // Removed, not replaced: of several servers that find it ended, one gets to put its own in the place.
        await tx.trimNotes(owner, "answer", clock.now(), maxAnswers);
      }
    });
  }

  /** An answer that cannot be written is given all the same; its key stays taken for as long as a lease. */
  async function make<Value>(claim: Claim, request: AnswerRequest<Value>): Promise<Answered<Value>> {
    const { digest } = claim;
    const renewing = setInterval(() => void settle(claim, { digest, state: "running" }).catch(() => undefined), leaseMs / 3);
    renewing.unref();
    try {
      const value = await request.make();
      clearInterval(renewing);
      await settle(claim, (request.isKept?.(value) ?? true) ? toKept(digest, value) : undefined).catch(() => undefined);
      return { outcome: "answered", isFirst: true, value };
    } catch (error) {
      await settle(claim, undefined).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  function toKept(digest: string, value: unknown): Kept {
    const text = JSON.stringify(value) ?? "null";
    return Buffer.byteLength(text) > maxAnswerBytes ? { digest, state: "not-kept" } : { digest, state: "answered", value };
  }

  return {
    async once<Value>(request: AnswerRequest<Value>) {
      demandRole(store.actor, "emitter", "keep answers");
      const prefix = request.caller === undefined ? undefined : `${sha256(request.caller).slice(0, 32)}-`;
      const name = `${prefix ?? ""}${sha256(request.key)}`;
      const claim: Claim = { name, prefix, digest: sha256(canonicalJson(request.request)), holder: randomUUID() };
      const deadline = performance.now() + (request.waitMs ?? 10_000);
      for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 200)) {
        request.signal?.throwIfAborted();
        const there = await take(claim);
        if (there === undefined) return make(claim, request);
        if (there.digest !== claim.digest) return { outcome: "different" };
        if (there.state === "answered") return { outcome: "answered", isFirst: false, value: there.value as Value };
        if (there.state === "not-kept") return { outcome: "not-kept" };
        if (performance.now() >= deadline) return { outcome: "running" };
        await sleep(pauseMs, undefined, { ...(request.signal && { signal: request.signal }) });
      }
    },
  };
}

const sweepEvery = 100;

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
